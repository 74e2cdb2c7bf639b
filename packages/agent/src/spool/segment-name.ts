/** What the name of a segment says: whose it is, and the sequence that its first entry has or would have had. */
export interface SegmentName {
  readonly name: string;
  readonly spoolId: string;
  readonly firstSequence: number;
}

const FORM = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(\d{16})\.seg$/;

/** The name of the segment that begins with `firstSequence`; names of a spool sort by it. */
export function segmentName(spoolId: string, firstSequence: number): SegmentName {
  return { name: `${spoolId}.${String(firstSequence).padStart(16, "0")}.seg`, spoolId, firstSequence };
}

/** Undefined when a file is no segment. */
export function parseSegmentName(name: string): SegmentName | undefined {
  const match = FORM.exec(name);
  return match ? { name, spoolId: match[1] ?? "", firstSequence: Number(match[2]) } : undefined;
}
