import { PlimsollError } from "@plimsoll/contracts";

/** Does work on files; a fault of the system becomes `file_unreadable` with the path that it names, else the given one. */
export async function readOrRefuse<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlimsollError || !(error instanceof Error) || !("syscall" in error)) throw error;
    const named = "path" in error && typeof error.path === "string" ? error.path : path;
    throw new PlimsollError("file_unreadable", { path: named, reason: error.message }, { cause: error });
  }
}
