const upperCase = /[A-Z]/g
/** An address as it can be invited: ASCII alone, without quotes and comments. */
const plainAddress =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/

/** Whether somebody can be invited by an address. */
export function isPlainAddress(address: string): boolean {
  return plainAddress.test(address)
}

/**
 * The form in which addresses are compared. [Note: Folding is for ASCII] `K` (U+212A) is a `k` to Unicode's folding and to NFC, and another mailbox
 * to its provider: A to Z are folded, and nothing else is.
 */
export function foldedAddress(address: string): string {
  return address.trim().replace(upperCase, (letter) => letter.toLowerCase())
}
