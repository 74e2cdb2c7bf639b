import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseProviderId } from "./parse-provider-id.ts";

interface Vector {
  readonly provider_id: string;
  readonly provider: string | null;
  readonly instance_id: string | null;
  readonly extra?: { readonly zone?: string; readonly region?: string };
}

const VECTORS: readonly Vector[] = JSON.parse(
  readFileSync(new URL("../../../../test/vectors/provider-ids.json", import.meta.url), "utf8"),
).cases;

describe("a provider id", () => {
  it.each(VECTORS)("$provider_id is $instance_id of $provider", (vector) => {
    const parsed = parseProviderId(vector.provider_id);
    expect(parsed).toMatchObject({ provider: vector.provider, instanceId: vector.instance_id });
    if (vector.extra?.zone) expect(parsed.zone).toBe(vector.extra.zone);
    if (vector.extra?.region) expect(parsed.region).toBe(vector.extra.region);
  });

  it("that is absent says nothing", () => {
    expect(parseProviderId(undefined)).toEqual({ provider: null, instanceId: null, region: null, zone: null });
  });

  it.each([
    ["aws://123456789012/eu-central-1b/i-0123456789abcdef0", "eu-central-1", "eu-central-1b"],
    ["aws:///us-west-2-lax-1a/i-0abc1234def567890", "us-west-2", "us-west-2-lax-1a"],
    ["gce://p/europe-west4-c/node", "europe-west4", "europe-west4-c"],
    ["alicloud://cn-hangzhou/i-bp1abcdefg", "cn-hangzhou", null],
    ["qcloud:///ap-beijing-3/ins-abcd1234", null, "ap-beijing-3"],
  ])("%s stands in region %s, zone %s", (text, region, zone) => {
    expect(parseProviderId(text)).toMatchObject({ region, zone });
  });

  it.each([
    ["kind://docker/test/test-worker", "kind", "test-worker"],
    ["digitalocean://12345", "digitalocean", "12345"],
    ["scaleway://instance/fr-par-1/abc", "scaleway", "abc"],
    ["3f2504e0-4f89-11d3-9a0c-0305e82c3301", null, "3f2504e0-4f89-11d3-9a0c-0305e82c3301"],
  ])("%s of a scheme without a rule keeps its last segment", (text, provider, instanceId) => {
    expect(parseProviderId(text)).toMatchObject({ provider, instanceId });
  });
});
