/** Whether two values of the store are the same; undefined stands for nothing there. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b
  return Buffer.compare(a, b) === 0
}
