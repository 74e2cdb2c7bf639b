import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["packages/*/src/**/*.test.ts", "scripts/**/*.test.ts"],
          testTimeout: 20_000,
          // Files of one worker share what they import: loading it again for each took longer than the tests. So no test may
          // leave anything behind: environment, fake timers, open files.
          isolate: false,
        },
      },
      {
        // Real API servers, the Go oracles, the CLI as a process: one file after the other, they share two cores.
        test: {
          name: "real",
          include: ["test/**/*.test.ts"],
          fileParallelism: false,
          globalSetup: "test/testbed/global-setup.ts", // offers the shared fleet; starts nothing by itself
          testTimeout: 300_000,
          hookTimeout: 1_800_000,
        },
      },
      {
        // Long versions and random faults, while one builds: `npm run soak`. Not part of `npm test`.
        test: {
          name: "soak",
          include: ["test/**/*.soak.ts"],
          fileParallelism: false,
          testTimeout: 3_600_000,
          hookTimeout: 1_800_000,
        },
      },
    ],
  },
});
