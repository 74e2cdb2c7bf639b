import type { Environment } from "@plimsoll/contracts";

const BY_VALUE: Readonly<Record<string, Environment>> = {
  prod: "production",
  production: "production",
  stage: "staging",
  staging: "staging",
  pre: "staging",
  test: "testing",
  testing: "testing",
  dev: "development",
  development: "development",
  other: "other",
};

/** The environment that a value of the label `env` means; null when there is none, "other" for a value nobody agreed on. */
export function environmentOf(value: string | undefined): Environment | null {
  if (value === undefined || value === "") return null;
  return isAgreedEnvironment(value) ? (BY_VALUE[value.toLowerCase()] ?? "other") : "other";
}

/** Is the value one that everybody agreed on? Any other is a finding. */
export function isAgreedEnvironment(value: string): boolean {
  return Object.hasOwn(BY_VALUE, value.toLowerCase());
}
