import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, type Store } from "../store/store.ts";
import { ADMIN_TOKEN_FILE, openAdminToken } from "./admin-token.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-admin-"));
  store = await openStore({ sqlite: ":memory:" });
  await store.migrate();
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

test("the first start makes a token, which later starts know", async () => {
  const first = await openAdminToken(store, folder, 0);
  expect(first).toMatchObject({ fresh: true, token: expect.stringMatching(/^pla1\.[-\w]{43}$/) });
  expect(await openAdminToken(store, folder, 1)).toMatchObject({ fresh: false, token: first.token });
  expect(statSync(join(folder, ADMIN_TOKEN_FILE)).mode & 0o777).toBe(0o600);
});

test("the store does not hold the token", async () => {
  const { token } = await openAdminToken(store, folder, 0);
  const rows = await store.db.selectFrom("settings").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token?.slice(5));
});

test("without its file the token still works for whoever kept it", async () => {
  const { token } = await openAdminToken(store, folder, 0);
  rmSync(join(folder, ADMIN_TOKEN_FILE));
  const later = await openAdminToken(store, folder, 1);
  expect(later.token).toBeNull();
  expect(later.actorOf(`Bearer ${token}`)).toEqual({ kind: "admin" });
});

test("a token in the file that is not this hub's is not shown as if it were", async () => {
  await openAdminToken(store, folder, 0);
  writeFileSync(join(folder, ADMIN_TOKEN_FILE), "pla1.of-another-hub");
  expect((await openAdminToken(store, folder, 1)).token).toBeNull();
});

test.each([
  undefined,
  "",
  "Bearer",
  "Bearer ",
  "Bearer x",
  "Basic YTpi",
  "Bearer pla1.aaaa bbbb",
  `Bearer ${"a".repeat(300)}`,
])("%j is nobody", async (header) => {
  const { actorOf } = await openAdminToken(store, folder, 0);
  expect(actorOf(header)).toEqual({ kind: "anonymous" });
});
