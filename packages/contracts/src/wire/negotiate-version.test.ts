import { expect, test } from "vitest";
import { negotiateVersion } from "./negotiate-version.ts";

test.each([
  ["1.4.2", "1.4.2", 4],
  ["1.4.0", "1.4.9", 4],
  ["1.4.2", "1.3.0", 3],
  ["1.4.2", "1.2.9", 2],
  ["0.1.0", "0.1.0", 1],
  ["0.1.0", "0.0.9", 0],
  ["v1.4.2", "v1.2.0-rc.1", 2],
  ["1.4.0-rc.1", "1.4.0+build.5", 4],
  // As numbers: 1.10 comes after 1.9.
  ["1.10.0", "1.9.0", 9],
  ["1.11.0", "1.9.0", 9],
])("hub %s accepts agent %s and speaks minor %i", (hub, agent, minor) => {
  expect(negotiateVersion(hub, agent)).toBe(minor);
});

test.each([
  ["1.4.2", "1.1.9", "agent_too_old"],
  ["1.10.0", "1.7.0", "agent_too_old"],
  ["2.0.0", "1.9.0", "agent_too_old"],
  ["1.4.2", "1.5.0", "agent_too_new"],
  ["1.9.0", "1.10.0", "agent_too_new"],
  ["1.4.2", "2.0.0", "agent_too_new"],
  ["1.4.2", "2.5.0", "agent_too_new"],
  ["1.4.2", "", "agent_version_invalid"],
  ["1.4.2", "1.4", "agent_version_invalid"],
  ["1.4.2", "1.4.2 ", "agent_version_invalid"],
  ["1.4.2", "latest", "agent_version_invalid"],
  ["1.4.2", `1.4.2-${"x".repeat(10_000)}`, "agent_version_invalid"],
])("hub %s refuses agent %s as %s", (hub, agent, code) => {
  expect(() => negotiateVersion(hub, agent)).toThrow(expect.objectContaining({ code }));
});

test("a refusal names the oldest agent that the hub accepts", () => {
  expect(() => negotiateVersion("1.4.2", "1.1.0")).toThrow(/accepts 1\.2\.0 and newer/);
  expect(() => negotiateVersion("2.1.0", "1.9.0")).toThrow(/accepts 2\.0\.0 and newer/);
});
