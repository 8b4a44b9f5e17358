/** Facts about a store's server that operators should know before trusting it with personal data. */
export interface StoreTraits {
  /** True if every write is on disk before it is acknowledged; undefined if the server does not say. */
  readonly keepsEveryWrite: boolean | undefined
  /** True if the server drops entries when its memory is full. */
  readonly evicts: boolean | undefined
}

/** The server behind a store. */
export interface StoreServer {
  traits(): Promise<StoreTraits>
  /** The server's clock, in milliseconds since 1970. */
  time(): Promise<number>
  /** The size of the store's tables on PostgreSQL, including indexes; the memory in use on a Redis server, across all of its users. */
  bytes(): Promise<number>
  /** A Redis server's memory limit; undefined if there is none. */
  mostBytes(): Promise<number | undefined>
}

/** The product name of the server that STORE points to, for messages. */
export function serverNameOf(storeAddress: string): 'PostgreSQL' | 'Redis' {
  return /^postgres(ql)?:/.test(storeAddress) ? 'PostgreSQL' : 'Redis'
}
