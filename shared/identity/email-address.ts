const upperCase = /[A-Z]/g
/** Addresses that can be invited: only ASCII, without quotes and comments. */
const plainAddress =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/

/** True if an invitation can be sent to this address. */
export function isPlainAddress(address: string): boolean {
  return plainAddress.test(address)
}

/**
 * Folds an address for comparison. [Note: Folding is for ASCII] Unicode folding and NFC both turn `K` (U+212A) into `k`, but for a mail provider
 * that is another mailbox, so only A to Z are folded.
 */
export function foldedAddress(address: string): string {
  return address.trim().replace(upperCase, (letter) => letter.toLowerCase())
}
