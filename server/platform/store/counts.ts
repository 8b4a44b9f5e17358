const digits = 16

/** The key for the last number issued under a key, stored next to the numbered entries. */
export function counterOf(key: string): string {
  return `${key}#`
}

/** A key with its number, padded so that keys sort by number. */
export function numberedKey(key: string, number: number): string {
  return `${key}/${String(number).padStart(digits, '0')}`
}

/** A numbered key's number. */
export function numberOf(key: string): number {
  return Number(key.slice(-digits))
}

/** Parses a stored count; 0 if there is none. */
export function countOf(value: Uint8Array | undefined): number {
  return value === undefined ? 0 : Number(Buffer.from(value).toString())
}

export function countBytes(count: number): Uint8Array {
  return Buffer.from(String(count))
}
