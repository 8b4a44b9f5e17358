/**
 * The pairing code that follows `#` in the address and never reaches a server; empty if there is none.
 * A mistyped address results in a wrong code, which the person can see and correct.
 */
export function pairingCodeOf({ hash }: Pick<Location, 'hash'>): string {
  return hash.slice(1)
}

/** Removes the code from the address. It works only once and should not stay visible. */
export function stripPairingCode(history: History, { hash, pathname }: Location): void {
  if (hash !== '') history.replaceState(history.state, '', pathname)
}
