/** Compares two stored values; undefined means there is none. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b
  return Buffer.compare(a, b) === 0
}
