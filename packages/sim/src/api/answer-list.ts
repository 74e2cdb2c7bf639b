import type { ServerResponse } from "node:http";
import { beginJson } from "./answer.ts";
import type { ListPage } from "./list-page.ts";
import type { ObjectForm } from "./object-form.ts";

const ITEMS_PER_WRITE = 16;

/** What becomes of a list on its way. */
export type ListFate = "whole" | "cut" | "silence";

/** Sends a page; objects are made as they are written, so a long list is never in memory whole. */
export function answerList(response: ServerResponse, page: ListPage, form: ObjectForm, fate: ListFate): void {
  const metadata = {
    resourceVersion: String(page.resourceVersion),
    ...(page.continueToken === "" ? {} : { continue: page.continueToken }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  const head = JSON.stringify({ kind: form.listKind, apiVersion: form.listApiVersion, metadata });
  beginJson(response);
  response.write(`${head.slice(0, -1)},"items":[`);
  const sent = fate === "whole" ? page.entries.length : Math.floor(page.entries.length / 2);
  for (let start = 0; start < sent; start += ITEMS_PER_WRITE) {
    const items = page.entries.slice(start, Math.min(sent, start + ITEMS_PER_WRITE));
    response.write(`${start === 0 ? "" : ","}${items.map((entry) => JSON.stringify(form.item(entry))).join(",")}`);
  }
  if (fate === "whole") response.end("]}\n");
  else breakOff(response, page, form, fate, sent);
}

/** Half an object more; then the connection goes, or nothing comes ever again. */
function breakOff(response: ServerResponse, page: ListPage, form: ObjectForm, fate: ListFate, sent: number): void {
  const next = page.entries[sent];
  const text = next === undefined ? "" : JSON.stringify(form.item(next));
  response.write(`${sent === 0 ? "" : ","}${text.slice(0, Math.floor(text.length / 2))}`, () => {
    if (fate === "cut") response.destroy();
  });
}
