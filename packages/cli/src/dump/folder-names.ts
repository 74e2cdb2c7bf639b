const LONGEST = 80;

/**
 * A folder name for each context: the context's own name made safe for any file system (`arn:aws:eks:…:cluster/shop` has
 * colons and a slash), each different; when names must not show, `cluster-1`, `cluster-2` …, in order.
 */
export function folderNames(contexts: readonly string[], hidden: boolean): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = contexts.map((context, index): [string, string] => {
    const wanted = hidden ? `cluster-${index + 1}` : safe(context);
    let name = wanted;
    // Compared without case: some file systems do.
    for (let copy = 2; taken.has(name.toLowerCase()); copy++) name = `${wanted}-${copy}`;
    taken.add(name.toLowerCase());
    return [context, name];
  });
  return new Map(names);
}

function safe(context: string): string {
  const name = context.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "");
  return name === "" ? "cluster" : name.slice(-LONGEST).replace(/^[.-]+/, "");
}
