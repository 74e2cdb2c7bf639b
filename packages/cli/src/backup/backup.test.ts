import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, startHub } from "@plimsoll/hub";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run } from "../run.ts";
import { testingTerminal } from "../testing-terminal.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plimsoll-cli-backup-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

async function ran(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { terminal, out, err } = testingTerminal({}, env);
  const code = await run([...args], { terminal, signal: new AbortController().signal });
  return { code, out: out(), err: err() };
}

const start = (dataDir: string) => startHub({ dataDir, port: 0, controlPort: 0 }, { log: silentLog });

async function tokenWorks(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/clusters`, { headers: { authorization: `Bearer ${token}` } });
  return answer.status;
}

describe("backup and restore", () => {
  test("of a hub that runs, to one file with its keys: the restored one is the same hub", async () => {
    const hub = await start(at("hub"));
    const token = readFileSync(join(at("hub"), "admin-token"), "utf8").trim();
    const key = readFileSync(join(at("hub"), "sealing-key"), "utf8");
    const backed = await ran(["backup", "--data", at("hub"), "--to", at("hub.tar"), "--with-keys"]);
    await hub.stop();
    expect([backed.code, backed.err]).toEqual([0, ""]);
    expect(backed.out).toContain(`Backed up to ${at("hub.tar")}\n`);
    expect(backed.out).toContain("0 clusters, 0 batches, 0 priced hours");
    const restored = await ran(["restore", "--from", at("hub.tar"), "--data", at("new")]);
    expect([restored.code, restored.err]).toEqual([0, ""]);
    expect(restored.out).toContain(`plimsoll hub --data ${at("new")}`);
    expect(readFileSync(join(at("new"), "sealing-key"), "utf8")).toBe(key);
    const again = await start(at("new"));
    expect(await tokenWorks(again.url, token)).toBe(200);
    await again.stop();
  }, 60_000);

  test("without its keys says so, and a hub that was given another key does not start", async () => {
    await (await start(at("hub"))).stop();
    const { out } = await ran(["backup", "--to", at("backup")], { PLIMSOLL_DATA: at("hub") });
    expect(out).toContain("keep the file sealing-key of the data folder apart");
    const restored = await ran(["restore", "--from", at("backup"), "--data", at("new")]);
    expect(restored.out).toContain(`put the file sealing-key into ${at("new")}`);
    await expect(start(at("new"))).rejects.toMatchObject({ code: "sealing_key_wrong" });
    writeFileSync(join(at("new"), "sealing-key"), readFileSync(join(at("hub"), "sealing-key")));
    await (await start(at("new"))).stop();
  }, 60_000);

  test("refuses what it cannot do, by code", async () => {
    expect(await ran(["backup", "--data", at("none"), "--to", at("b")])).toMatchObject({
      code: 1,
      err: expect.stringContaining("backup_source_missing"),
    });
    const postgres = { PLIMSOLL_POSTGRES: "postgres://hub@db/plimsoll" };
    expect((await ran(["backup", "--to", at("b")], postgres)).err).toContain("pg_dump");
    expect((await ran(["restore", "--from", at("none"), "--data", at("new")])).err).toContain("backup_unreadable");
    expect((await ran(["backup"])).code).toBe(2);
  });
});
