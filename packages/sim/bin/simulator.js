#!/usr/bin/env node
import { runSimulator } from "../src/main.ts";

await runSimulator(process.argv.slice(2));
