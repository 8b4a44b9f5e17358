/** What an operator should know of a Redis server before it is trusted with people's data. */
export interface RedisTraits {
  /** Whether every write is on disk before it is acknowledged; undefined where the server does not tell. */
  readonly keepsEveryWrite: boolean | undefined
  /** Whether the server drops entries when its memory is full. */
  readonly evicts: boolean | undefined
}

/** By the settings that the server tells of itself. */
export function traitsOf(settings: Readonly<Record<string, string>>): RedisTraits {
  const { appendonly, appendfsync, 'maxmemory-policy': policy } = settings
  return {
    keepsEveryWrite: appendonly === undefined ? undefined : appendonly === 'yes' && appendfsync === 'always',
    evicts: policy === undefined ? undefined : policy !== 'noeviction',
  }
}
