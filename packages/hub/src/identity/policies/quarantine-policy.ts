import type { Policy } from "../access.ts";

/** What could not be applied: operators see it, try it again and give it up; auditors see it. */
export const quarantinePolicy: Policy = {
  about: "batches that could not be applied",
  roles: {
    list: ["operator", "auditor"],
    read: ["operator", "auditor"],
    update: ["operator"],
    delete: ["operator"],
  },
};
