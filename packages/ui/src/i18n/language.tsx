import { createContext, type ReactNode, use, useMemo } from "react";
import { createFormatter, type Formatter } from "../format/formatter.ts";
import { readKept, writeKept } from "../session/kept.ts";
import { en, type Messages } from "./en.ts";

/** The languages of the page, as BCP 47 tags. */
export type Language = "en" | "zh-CN";

const LOCALES: Readonly<Record<Language, string>> = { en: "en-US", "zh-CN": "zh-CN" };
const KEPT_AS = "plimsoll.language";

/** The language chosen before, else the browser's. */
export function firstLanguage(): Language {
  const kept = readKept("local", KEPT_AS);
  return kept === "en" || kept === "zh-CN" ? kept : languageOf(navigator.languages);
}

/** The first of the wanted languages that the page has, else English. */
export function languageOf(wanted: readonly string[]): Language {
  const known = wanted.find((tag) => /^(en|zh)\b/i.test(tag));
  return known !== undefined && /^zh/i.test(known) ? "zh-CN" : "en";
}

/** Remembers the choice of a person. */
export function keepLanguage(language: Language): void {
  writeKept("local", KEPT_AS, language);
}

/** Texts of a language; Chinese is loaded when first asked for. */
export async function loadMessages(language: Language): Promise<Messages> {
  return language === "zh-CN" ? (await import("./zh-cn.ts")).zhCN : en;
}

/** What a component needs to speak: texts, the formatter of numbers, and a way to switch. */
export interface Speech {
  readonly language: Language;
  readonly t: Messages;
  readonly format: Formatter;
  readonly switchLanguage: (language: Language) => void;
}

const SpeechContext = createContext<Speech | null>(null);

/** Gives every component below its language. */
export function LanguageProvider(props: {
  readonly language: Language;
  readonly messages: Messages;
  readonly onSwitch: (language: Language) => void;
  readonly children: ReactNode;
}) {
  const { language, messages, onSwitch } = props;
  const speech = useMemo(
    () => ({
      language,
      t: messages,
      format: createFormatter(LOCALES[language], messages.units),
      switchLanguage: onSwitch,
    }),
    [language, messages, onSwitch],
  );
  return <SpeechContext value={speech}>{props.children}</SpeechContext>;
}

/** Texts and formatter of the language in use. */
export function useSpeech(): Speech {
  const speech = use(SpeechContext);
  if (speech === null) throw new Error("LanguageProvider is missing above");
  return speech;
}

/** The word for a state as the API names it; one that has no word yet stays as it is. */
export function stateWord(t: Messages, state: string): string {
  return t.states[state] ?? state;
}
