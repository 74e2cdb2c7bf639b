export * from "./audit.ts";
export * from "./clusters.ts";
export * from "./common.ts";
export * from "./cost.ts";
export * from "./coverage.ts";
export * from "./policy.ts";
export * from "./registration.ts";
