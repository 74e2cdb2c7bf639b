#!/usr/bin/env node
import module from "node:module";

// From the second start on, the TypeScript is not stripped again: that alone takes half of the memory.
module.enableCompileCache();
const { runSimulator } = await import("../src/main.ts");
await runSimulator(process.argv.slice(2));
