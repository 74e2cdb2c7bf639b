/** A block of addresses: the first one and how many leading bits are fixed. */
interface Block {
  readonly bits: 32 | 128;
  readonly first: bigint;
  readonly prefix: number;
}

/**
 * The smallest list of CIDR blocks that covers exactly the given ones, IPv4 before IPv6, in address order: the /24 of each
 * node becomes a few larger blocks, and nothing that no node owns is claimed. Texts that are no CIDR are left out.
 */
export function cidrUnion(cidrs: readonly string[]): readonly string[] {
  const blocks = cidrs.flatMap((text) => parseCidr(text) ?? []);
  return ([32, 128] as const).flatMap((bits) => merge(blocks.filter((block) => block.bits === bits)).map(formatBlock));
}

/** One pass over blocks in address order: what an earlier one holds is dropped, two halves become their whole. */
function merge(blocks: readonly Block[]): readonly Block[] {
  const merged: Block[] = [];
  for (const block of [...blocks].sort(compareBlocks)) {
    const last = merged.at(-1);
    if (last && contains(last, block)) continue;
    merged.push(block);
    joinHalves(merged);
  }
  return merged;
}

function joinHalves(merged: Block[]): void {
  for (;;) {
    const [left, right] = [merged.at(-2), merged.at(-1)];
    if (!left || !right || left.prefix !== right.prefix || left.prefix === 0) return;
    const size = 1n << BigInt(left.bits - left.prefix);
    if (left.first % (size * 2n) !== 0n || left.first + size !== right.first) return;
    merged.splice(-2, 2, { ...left, prefix: left.prefix - 1 });
  }
}

function contains(outer: Block, inner: Block): boolean {
  return inner.first < outer.first + (1n << BigInt(outer.bits - outer.prefix));
}

function compareBlocks(a: Block, b: Block): number {
  if (a.first !== b.first) return a.first < b.first ? -1 : 1;
  return a.prefix - b.prefix;
}

function parseCidr(text: string): Block | undefined {
  const [, address, prefixText] = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/.exec(text.trim()) ?? [];
  if (address === undefined) return undefined;
  const bits = address.includes(":") ? 128 : 32;
  const value = bits === 32 ? parseIpv4(address) : parseIpv6(address);
  const prefix = Number(prefixText);
  if (value === undefined || prefix > bits) return undefined;
  const host = BigInt(bits - prefix);
  return { bits, first: (value >> host) << host, prefix };
}

function parseIpv4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return undefined;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint | undefined {
  const halves = text.split("::");
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - tail.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const groups = [...head, ...Array.from({ length: missing }, () => "0"), ...tail];
  if (groups.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n);
}

function formatBlock({ bits, first, prefix }: Block): string {
  const groupBits = bits === 32 ? 8n : 16n;
  const count = bits === 32 ? 4 : 8;
  const groups = Array.from({ length: count }, (_, index) => {
    return (first >> (groupBits * BigInt(count - 1 - index))) & ((1n << groupBits) - 1n);
  });
  return bits === 32 ? `${groups.join(".")}/${prefix}` : `${compressed(groups)}/${prefix}`;
}

/** The longest run of two or more zero groups becomes "::" (RFC 5952). */
function compressed(groups: readonly bigint[]): string {
  let [start, length] = [0, 0];
  for (let index = 0; index < groups.length; index += 1) {
    let end = index;
    while (groups[end] === 0n) end += 1;
    if (end - index > length) [start, length] = [index, end - index];
  }
  const text = (part: readonly bigint[]): string => part.map((group) => group.toString(16)).join(":");
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}
