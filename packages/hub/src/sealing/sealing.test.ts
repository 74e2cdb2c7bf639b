import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createSealing, openSealing, SEALING_KEY_FILE } from "./sealing.ts";

const folder = mkdtempSync(join(tmpdir(), "plimsoll-sealing-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = Buffer.from("token: s3cret");

test("what is sealed opens to the same bytes, also after a restart, and shows nothing", async () => {
  const first = await openSealing(folder, null);
  const sealed = first.seal(SECRET, "kubeconfig of a");
  expect(Buffer.from(sealed).includes("s3cret")).toBe(false);
  const again = await openSealing(folder, null);
  expect(again.keyId).toBe(first.keyId);
  expect(Buffer.from(again.open(sealed, "kubeconfig of a"))).toEqual(SECRET);
});

test("the key's file is the owner's alone", async () => {
  await openSealing(folder, null);
  expect(statSync(join(folder, SEALING_KEY_FILE)).mode & 0o777).toBe(0o600);
});

test("the same secret is never sealed to the same bytes twice", () => {
  const sealing = createSealing(Buffer.alloc(32, 1));
  expect(Buffer.from(sealing.seal(SECRET, "a"))).not.toEqual(Buffer.from(sealing.seal(SECRET, "a")));
});

const sealing = createSealing(Buffer.alloc(32, 1));
const sealed = sealing.seal(SECRET, "kubeconfig of a");
const flip = (index: number) => {
  const changed = Buffer.from(sealed);
  changed[index] = (changed[index] ?? 0) ^ 1;
  return changed;
};
test.each<[string, Uint8Array, string, number]>([
  ["another key", sealed, "kubeconfig of a", 2],
  ["another purpose", sealed, "kubeconfig of b", 1],
  ["a changed form", flip(0), "kubeconfig of a", 1],
  ["a changed nonce", flip(3), "kubeconfig of a", 1],
  ["a changed tag", flip(14), "kubeconfig of a", 1],
  ["a changed body", flip(sealed.length - 1), "kubeconfig of a", 1],
  ["a cut body", sealed.subarray(0, 20), "kubeconfig of a", 1],
  ["nothing", new Uint8Array(), "kubeconfig of a", 1],
])("%s does not open it", (_, bytes, purpose, key) => {
  const other = createSealing(Buffer.alloc(32, key));
  expect(() => other.open(bytes, purpose)).toThrow(expect.objectContaining({ code: "sealing_key_wrong" }));
});

test.each(["", "c2hvcnQ=", Buffer.alloc(33).toString("base64")])(
  "a given key of another length (%j) is refused",
  async (key) => {
    await expect(openSealing(folder, key)).rejects.toMatchObject({ code: "hub_config_invalid" });
  },
);
