const digits = 16

/** Where the last number that was given under a key is kept: next to what is listed under it. */
export function counterOf(key: string): string {
  return `${key}#`
}

/** A key with its number, so that the order of keys is that of numbers. */
export function numberedKey(key: string, number: number): string {
  return `${key}/${String(number).padStart(digits, '0')}`
}

/** The number of a numbered key. */
export function numberOf(key: string): number {
  return Number(key.slice(-digits))
}

/** A count as it stands in the store; 0 where there is none. */
export function countOf(value: Uint8Array | undefined): number {
  return value === undefined ? 0 : Number(Buffer.from(value).toString())
}

export function countBytes(count: number): Uint8Array {
  return Buffer.from(String(count))
}
