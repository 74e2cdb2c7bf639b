import { expect, test } from "vitest";
import { crc32c } from "./crc32c.ts";

// The examples of RFC 3720, appendix B.4.
test.each([
  ["32 zeros", new Uint8Array(32), 0x8a9136aa],
  ["32 ones", new Uint8Array(32).fill(0xff), 0x62a8ab43],
  ["0 to 31", Uint8Array.from({ length: 32 }, (_, index) => index), 0x46dd794e],
  ["31 to 0", Uint8Array.from({ length: 32 }, (_, index) => 31 - index), 0x113fdb5c],
  ["the digits", Buffer.from("123456789"), 0xe3069283],
])("the sum of %s is that of the standard", (_, bytes, sum) => {
  expect(crc32c(bytes)).toBe(sum);
  expect(crc32c(bytes.subarray(5), crc32c(bytes.subarray(0, 5)))).toBe(sum);
});
