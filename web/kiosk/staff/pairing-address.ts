/**
 * The pairing code that an address was opened with, behind its `#`, where no server sees it; empty where there is none.
 * An address that was mistyped is a code that is not right: the person sees it, and mends it.
 */
export function pairingCodeOf({ hash }: Pick<Location, 'hash'>): string {
  return hash.slice(1)
}

/** Takes the code out of the address: it works once, and nobody who comes by needs to read it. */
export function stripPairingCode(history: History, { hash, pathname }: Location): void {
  if (hash !== '') history.replaceState(history.state, '', pathname)
}
