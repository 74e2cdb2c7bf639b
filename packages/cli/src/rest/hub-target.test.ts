import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hubTarget } from "./hub-target.ts";
import { announceHub } from "./local-hub.ts";

let data = "";
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "plimsoll-target-"));
  await announceHub(data, { url: "http://127.0.0.1:8080", caFile: null });
  await writeFile(join(data, "admin-token"), "pla1.local\n");
});
afterAll(() => rm(data, { recursive: true, force: true }));

describe("the hub that is asked", () => {
  test("is the one on this machine when nothing else is said, with its token", async () => {
    const local = { url: "http://127.0.0.1:8080", token: "pla1.local", ca: undefined };
    expect(await hubTarget({}, { PLIMSOLL_DATA: data })).toEqual(local);
    expect(await hubTarget({ hub: "http://127.0.0.1:8080/" }, { PLIMSOLL_DATA: data })).toEqual(local);
  });

  test("is that of the options before that of the environment", async () => {
    const env = { PLIMSOLL_DATA: data, PLIMSOLL_HUB: "https://env.example", PLIMSOLL_TOKEN: "env" };
    expect(await hubTarget({}, env)).toMatchObject({ url: "https://env.example", token: "env" });
    const options = { hub: "https://option.example/plimsoll/", adminToken: "option" };
    expect(await hubTarget(options, env)).toMatchObject({ url: "https://option.example/plimsoll", token: "option" });
  });

  test("gets the token of this machine's folder when it is the ingest process of that folder", async () => {
    const env = { PLIMSOLL_DATA: data };
    const withdraw = await announceHub(data, { url: "http://127.0.0.1:9081", caFile: null }, "ingest");
    expect(await hubTarget({ hub: "http://127.0.0.1:9081" }, env)).toMatchObject({ token: "pla1.local" });
    expect(await hubTarget({}, env)).toMatchObject({ url: "http://127.0.0.1:8080" });
    await withdraw();
    expect(await hubTarget({ hub: "http://127.0.0.1:9081" }, env)).toMatchObject({ token: null });
  });

  test("never gets the token of the hub on this machine when it is another", async () => {
    const env = { PLIMSOLL_DATA: data };
    expect(await hubTarget({ hub: "https://other.example" }, env)).toMatchObject({ token: null });
    expect(await hubTarget({ hub: "http://127.0.0.1:8081" }, env)).toMatchObject({ token: null });
  });

  test("is not there: the folder that was looked at is named", async () => {
    await expect(hubTarget({}, { XDG_STATE_HOME: "/nowhere" })).rejects.toMatchObject({
      code: "hub_not_named",
      message: expect.stringContaining("/nowhere/plimsoll/hub"),
    });
  });

  test.each([
    ["hub.example", "which is no http or https address"],
    ["ftp://hub.example", "which is no http or https address"],
    ["https://me:secret@hub.example", "with more than scheme, host, port and path"],
    ["https://hub.example/#token=x", "with more than scheme, host, port and path"],
    ["http://hub.example", "in clear text"],
    ["http://10.0.0.7:8080", "in clear text"],
    ["http://127.0.0.1.evil.example", "in clear text"],
  ])("is refused at %s: %s", async (hub, reason) => {
    const refused = hubTarget({ hub }, {});
    await expect(refused).rejects.toMatchObject({ code: "hub_url_invalid", message: expect.stringContaining(reason) });
    await expect(refused).rejects.not.toThrow(/secret/);
  });

  test.each(["http://localhost:1", "http://127.9.9.9:1", "http://[::1]:1"])("may be at %s", async (hub) => {
    expect(await hubTarget({ hub }, {})).toMatchObject({ url: hub });
  });

  test("is trusted by certificates that must be readable", async () => {
    await expect(hubTarget({ hub: "https://a", hubCa: "/nowhere/ca.pem" }, {})).rejects.toMatchObject({
      code: "file_unreadable",
    });
  });
});
