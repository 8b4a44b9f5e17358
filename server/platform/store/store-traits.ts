/** What an operator should know of the server behind a store before it is trusted with people's data. */
export interface StoreTraits {
  /** Whether every write is on disk before it is acknowledged; undefined where the server does not tell. */
  readonly keepsEveryWrite: boolean | undefined
  /** Whether the server drops entries when its memory is full. */
  readonly evicts: boolean | undefined
}

/** Which server an address of STORE names, as words have it. */
export function serverNameOf(storeAddress: string): 'PostgreSQL' | 'Redis' {
  return /^postgres(ql)?:/.test(storeAddress) ? 'PostgreSQL' : 'Redis'
}
