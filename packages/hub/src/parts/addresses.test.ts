import { hostname } from "node:os";
import { expect, test } from "vitest";
import { completeHubConfig } from "../config/check-config.ts";
import type { HubConfig } from "../config/hub-config.ts";
import { controlAddress, isLoopback, restUrl, serverNames } from "./addresses.ts";

const HERE = hostname();

test.each<[Partial<HubConfig>, string, string]>([
  [{}, "http://127.0.0.1:80", "127.0.0.1:81"],
  [{ host: "::1" }, "http://[::1]:80", "[::1]:81"],
  [{ host: "0.0.0.0" }, `http://${HERE}:80`, `${HERE}:81`],
  [{ host: "0.0.0.0", publicUrl: "https://hub.example/" }, "https://hub.example", "hub.example:81"],
  [{ host: "10.0.0.7", publicUrl: "https://hub.example/x" }, "https://hub.example/x", "10.0.0.7:81"],
  [{ controlHost: "10.0.0.8" }, "http://127.0.0.1:80", "10.0.0.8:81"],
  [{ publicControlAddress: "agents.example:443" }, "http://127.0.0.1:80", "agents.example:443"],
])("%j is reached at %s, by agents at %s", (settings, url, control) => {
  const config = completeHubConfig({ dataDir: "x", ...settings });
  expect([restUrl(config, 80, false), controlAddress(config, 81)]).toEqual([url, control]);
});

test("certificates are for every name that this hub may be called by", () => {
  const config = completeHubConfig({ dataDir: "x", host: "0.0.0.0", publicUrl: "https://[2001:db8::1]:8443" });
  expect(serverNames(config)).toEqual(["2001:db8::1", HERE, "localhost", "127.0.0.1", "::1"]);
});

test.each([
  ["127.0.0.1", true],
  ["127.8.9.10", true],
  ["::1", true],
  ["localhost", true],
  ["0.0.0.0", false],
  ["127.0.0.1.example", false],
  ["10.0.0.1", false],
])("%s is this machine alone: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
