import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { PlimsollError } from "@plimsoll/contracts";
import { packTar } from "modern-tar";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { fileOf, folderOf, kubectlList, namespace, node, pod } from "./dump-fixture.ts";
import { readDump } from "./read-dump.ts";

const PODS = kubectlList([pod("shop", "cart-1"), pod("shop", "cart-2")]);
const BUNDLE = {
  "bundle/nodes.json": kubectlList([node("node-1")]),
  "bundle/cluster-resources/namespaces.json": kubectlList([namespace("kube-system"), namespace("shop")]),
  "bundle/cluster-resources/pods/shop.json": PODS,
  "bundle/logs/cart-1.log": "E0301 a log\n",
  "bundle/README": "what this is\n",
};

const tar = (files: Readonly<Record<string, string | Uint8Array>>) =>
  packTar(
    Object.entries(files).map(([name, content]) => {
      const body = Buffer.from(content);
      return { header: { name, size: body.length, mtime: new Date("2026-03-02T11:00:00Z") }, body };
    }),
  );

/** A small zip writer: one local header and one directory record per file. */
function zip(files: Readonly<Record<string, string | Uint8Array>>, attributes = 0): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const body = Buffer.from(content);
    const packed = deflateRawSync(body);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(attributes, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\x03", "latin1"), common, tail, Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const records = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(locals.length, 8);
  end.writeUInt16LE(locals.length, 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, records, end]);
}

async function counts(path: string, options: Parameters<typeof readDump>[1] = {}): Promise<unknown> {
  const { objects } = await readDump(path, options);
  return [objects.nodes, objects.namespaces, objects.pods].map((reading) =>
    reading.known ? reading.value.length : reading.error.code,
  );
}

async function faultOf(path: string, options: Parameters<typeof readDump>[1] = {}): Promise<PlimsollError> {
  const thrown: unknown = await readDump(path, options).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof PlimsollError) return thrown;
  throw new Error(`no coded error, but ${String(thrown)}`);
}

describe("archives", () => {
  it.each<[string, string, () => Promise<Uint8Array>]>([
    ["a tar", "b.tar", () => tar(BUNDLE)],
    ["a tar.gz", "b.tar.gz", async () => gzipSync(await tar(BUNDLE))],
    ["a tgz by another name", "bundle.bin", async () => gzipSync(await tar(BUNDLE))],
    ["a zip", "b.zip", async () => zip(BUNDLE)],
    [
      "a zip of compressed files",
      "b.zip",
      async () =>
        zip({
          "d.json.gz": gzipSync(BUNDLE["bundle/nodes.json"]),
          "n.json": BUNDLE["bundle/cluster-resources/namespaces.json"],
          "p.json": PODS,
        }),
    ],
    [
      "a tar of compressed files",
      "b.tar",
      () =>
        tar({
          "d.json.gz": gzipSync(BUNDLE["bundle/nodes.json"]),
          "n.json": BUNDLE["bundle/cluster-resources/namespaces.json"],
          "p.json": PODS,
        }),
    ],
  ])("%s is read like the folder it holds", async (_, name, make) => {
    const path = fileOf(name, await make());
    expect(await counts(path)).toEqual([1, 2, 2]);
    expect((await readDump(path)).name).toBe(name.replace(/\.(tar.*|zip)$/, "").replace(".bin", ".bin"));
  });

  it("in a folder are read too, and name their members", async () => {
    const folder = folderOf({ "a.tgz": gzipSync(await tar(BUNDLE)), "b.zip": zip({ "x/secret.txt": "text" }) });
    expect(await counts(folder)).toEqual([1, 2, 2]);
    const { unused } = await readDump(folder);
    expect(unused).toContainEqual(
      expect.objectContaining({ where: `${join(folder, "a.tgz")}!bundle/logs/cart-1.log`, code: "log" }),
    );
    expect(unused).toContainEqual(
      expect.objectContaining({ where: `${join(folder, "b.zip")}!x/secret.txt`, code: "not_kubernetes" }),
    );
  });

  it("give their members' kinds in a second pass where these stand behind the items", async () => {
    const { kind: _, apiVersion: __, ...bare } = pod("shop", "cart-1");
    const small = stringify({ items: [bare], kind: "PodList", apiVersion: "v1" });
    const large = JSON.stringify({ items: [{ ...bare, filler: "x".repeat(17 * 1024 * 1024) }], kind: "PodList" });
    for (const text of [small, large]) {
      const files = {
        "nodes.json": BUNDLE["bundle/nodes.json"],
        "x.out": text,
        "z.json": BUNDLE["bundle/cluster-resources/namespaces.json"],
      };
      expect(await counts(fileOf("b.tgz", gzipSync(await tar(files), { level: 1 })))).toEqual([1, 2, 1]);
      expect(await counts(fileOf("b.zip", zip(files)))).toEqual([1, 2, 1]);
    }
  });

  it("never follow links or climb out by a member's name", async () => {
    const evil = zip({ "../../evil.json": PODS, "/etc/nodes.json": BUNDLE["bundle/nodes.json"] });
    expect(await counts(fileOf("b.zip", evil))).toEqual([1, "dump_kind_missing", 2]);
    const link = zip({ "nodes.json": "/etc/passwd" }, 0o120777 * 0x10000);
    const folder = folderOf({ "b.zip": link, "p.json": PODS });
    expect((await readDump(folder)).unused).toContainEqual(expect.objectContaining({ code: "link" }));
  });

  it.each<[string, string, () => Promise<Uint8Array>, string]>([
    ["a gzip that was cut", "d.json.gz", async () => gzipSync(PODS).subarray(0, 200), "dump_truncated"],
    ["a gzip that was damaged", "d.json.gz", async () => damaged(gzipSync(PODS)), "dump_syntax"],
    ["a tar.gz that was cut", "b.tgz", async () => gzipSync(await tar(BUNDLE)).subarray(0, 300), "dump_truncated"],
    [
      "a tar that was cut between two members",
      "b.tar",
      async () => (await tar(BUNDLE)).subarray(0, 2560),
      "dump_truncated",
    ],
    ["a zip that was cut", "b.zip", async () => zip(BUNDLE).subarray(0, 500), "dump_truncated"],
    ["a zip without members", "b.zip", async () => zip({}), "dump_no_objects"],
  ])("%s is an error", async (_, name, make, code) => {
    const path = fileOf(name, await make());
    expect(await faultOf(path)).toMatchObject({ code, fields: { path } });
  });

  it("that were cut make everything unknown when they lie in a folder", async () => {
    const cutTar = gzipSync(await tar(BUNDLE)).subarray(0, 300);
    expect(await counts(folderOf({ "a.tgz": cutTar, "p.json": PODS }))).toEqual(Array(3).fill("dump_truncated"));
  });

  it("of archives are read, except a zip, which needs a file of its own", async () => {
    const inner = gzipSync(await tar(BUNDLE));
    expect(await counts(fileOf("b.tar", await tar({ "inner.tgz": inner })))).toEqual([1, 2, 2]);
    const withZip = await tar({ "inner.zip": zip(BUNDLE), "p.json": PODS });
    const { unused, objects } = await readDump(fileOf("b.tar", withZip));
    expect(unused).toContainEqual(expect.objectContaining({ code: "archive_nested" }));
    expect(objects.nodes).toMatchObject({ known: false, error: { code: "dump_incomplete" } });
  });

  it("that unpack to more than the limits are stopped", async () => {
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, " "));
    const limits = { unpackedBytes: 3_000_000, unpackedFileBytes: 2_000_000 };
    expect(await faultOf(fileOf("d.json.gz", bomb), { limits })).toMatchObject({ code: "dump_too_large" });
    const oneFile = { unpackedFileBytes: 2_000_000 };
    expect(await faultOf(fileOf("d.json.gz", bomb), { limits: oneFile })).toMatchObject({ code: "dump_too_large" });
    const each = Buffer.alloc(1_500_000, " ");
    const path = fileOf("b.tgz", gzipSync(await tar({ a: each, b: each, c: PODS })));
    expect(await faultOf(path, { limits: { unpackedBytes: 2_000_000 } })).toMatchObject({ code: "dump_too_large" });
    const zipped = fileOf("b.zip", zip({ a: each, b: each, c: PODS }));
    expect(await faultOf(zipped, { limits: { unpackedBytes: 2_000_000 } })).toMatchObject({
      code: "dump_too_large",
      fields: { path: zipped },
    });
  });
});

describe("folders", () => {
  it("are left by no link and walked in no circle", async () => {
    const outside = folderOf({ "nodes.json": BUNDLE["bundle/nodes.json"] });
    const folder = folderOf({ "a/pods.json": PODS });
    symlinkSync(folder, join(folder, "a", "loop"));
    symlinkSync(outside, join(folder, "b"));
    symlinkSync(join(folder, "a", "pods.json"), join(folder, "c.json"));
    symlinkSync("nowhere", join(folder, "d"));
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, ".git", "x.json"), kubectlList([namespace("kube-system", "other")]));
    const { objects, unused } = await readDump(folder);
    expect(objects.nodes.known).toBe(false);
    expect(objects.pods).toMatchObject({ known: false, error: { code: "dump_incomplete" } });
    expect(unused.map((row) => [row.where.slice(folder.length + 1), row.code])).toEqual(
      expect.arrayContaining([
        ["b", "link_outside"],
        ["d", "unreadable"],
        [".git", "hidden"],
      ]),
    );
    expect(unused.map((row) => row.code)).not.toContain("repeated");
  });
});

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(0xff, 60, 90);
  return copy;
}
