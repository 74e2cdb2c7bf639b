import { expect, test } from "vitest";
import { environmentProxy } from "./environment-proxy.ts";

const HTTPS_PROXY = "http://proxy:8080";

test.each<{ server: string; env: Record<string, string>; proxy: string | undefined }>([
  { server: "https://kube.example", env: {}, proxy: undefined },
  { server: "https://kube.example", env: { HTTPS_PROXY }, proxy: HTTPS_PROXY },
  { server: "https://kube.example", env: { HTTP_PROXY: HTTPS_PROXY }, proxy: undefined },
  { server: "http://kube.example", env: { HTTP_PROXY: "http://plain:1", HTTPS_PROXY }, proxy: "http://plain:1" },
  { server: "https://kube.example", env: { HTTPS_PROXY, https_proxy: "http://lower:1" }, proxy: "http://lower:1" },
  { server: "https://kube.example", env: { HTTPS_PROXY: "proxy:8080" }, proxy: "http://proxy:8080" },
  { server: "https://127.0.0.1:6443", env: { HTTPS_PROXY }, proxy: undefined },
  { server: "https://localhost:6443", env: { HTTPS_PROXY }, proxy: undefined },
  { server: "https://[::1]:6443", env: { HTTPS_PROXY }, proxy: undefined },
])("$server with $env goes by $proxy", ({ server, env, proxy }) => {
  expect(environmentProxy(server, env)).toBe(proxy);
});

test.each([
  { server: "https://kube.example", NO_PROXY: "*", exempt: true },
  { server: "https://kube.example", NO_PROXY: "other, kube.example", exempt: true },
  { server: "https://KUBE.example", NO_PROXY: "kube.EXAMPLE", exempt: true },
  { server: "https://a.kube.example", NO_PROXY: "kube.example", exempt: true },
  { server: "https://notkube.example", NO_PROXY: "kube.example", exempt: false },
  { server: "https://a.kube.example", NO_PROXY: ".kube.example", exempt: true },
  { server: "https://a.kube.example", NO_PROXY: "*.kube.example", exempt: true },
  { server: "https://kube.example", NO_PROXY: ".kube.example", exempt: false },
  { server: "https://kube.example:6443", NO_PROXY: "kube.example:6443", exempt: true },
  { server: "https://kube.example:6443", NO_PROXY: "kube.example:443", exempt: false },
  { server: "https://kube.example", NO_PROXY: "kube.example:443", exempt: true },
  { server: "https://10.1.2.3:6443", NO_PROXY: "10.0.0.0/8", exempt: true },
  { server: "https://11.1.2.3:6443", NO_PROXY: "10.0.0.0/8", exempt: false },
  { server: "https://10.1.2.3:6443", NO_PROXY: "10.1.2.3", exempt: true },
  { server: "https://[fd00::5]:6443", NO_PROXY: "fd00::/16", exempt: true },
  { server: "https://[fd00::5]:6443", NO_PROXY: "fd00::5", exempt: true },
  { server: "https://10.1.2.3:6443", NO_PROXY: "fd00::/16,10.0.0.0/99,10.0.0.0/x,/", exempt: false },
  { server: "https://kube.example", NO_PROXY: "10.0.0.0/8", exempt: false },
  { server: "https://kube.example", NO_PROXY: " , ", exempt: false },
])("NO_PROXY=$NO_PROXY: $server exempt $exempt", ({ server, NO_PROXY, exempt }) => {
  expect(environmentProxy(server, { HTTPS_PROXY, NO_PROXY })).toBe(exempt ? undefined : HTTPS_PROXY);
});
