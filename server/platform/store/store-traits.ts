/** Facts about a store's server that operators should know before trusting it with personal data. */
export interface StoreTraits {
  /** True if every write is on disk before it is acknowledged; undefined if the server does not say. */
  readonly keepsEveryWrite: boolean | undefined
  /** True if the server drops entries when its memory is full. */
  readonly evicts: boolean | undefined
}

/** The product name of the server that STORE points to, for messages. */
export function serverNameOf(storeAddress: string): 'PostgreSQL' | 'Redis' {
  return /^postgres(ql)?:/.test(storeAddress) ? 'PostgreSQL' : 'Redis'
}
