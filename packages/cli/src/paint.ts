import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Colours a text for a terminal, or gives it back as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

/** The paint of a place that wants colours or not (`TextSink.colours` decides, and with it NO_COLOR). */
export function painter(colours: boolean): Paint {
  return colours ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
}
