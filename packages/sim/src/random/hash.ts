/**
 * A 32-bit hash of a text (FNV-1a with a final mix, so that texts that differ in one character share no bits): seeds
 * generators and gives every pod a number of its own. The same on every machine; no use for secrets.
 */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

/** A number in [0, 1) that depends on both arguments and on nothing else. Both are 32-bit integers. */
export function hashUnit(a: number, b: number): number {
  return mix(Math.imul(a, 0x9e3779b1) ^ mix(b)) / 4294967296;
}

/** Spreads every bit of `value` over all 32 (xor-shift and multiply, twice); unsigned. */
function mix(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
