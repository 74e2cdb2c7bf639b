import { config } from "zod";

// Schemas are not compiled to code at run time: the hub's content policy forbids that, rightly. They ask when they are made,
// so this module comes before any that makes one.
config({ jitless: true });
