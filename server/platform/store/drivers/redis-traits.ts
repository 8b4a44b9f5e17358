import type { StoreTraits } from '#server/platform/store/store-traits.ts'

/** By the settings that the server tells of itself. */
export function traitsOf(settings: Readonly<Record<string, string>>): StoreTraits {
  const { appendonly, appendfsync, 'maxmemory-policy': policy } = settings
  return {
    keepsEveryWrite: appendonly === undefined ? undefined : appendonly === 'yes' && appendfsync === 'always',
    evicts: policy === undefined ? undefined : policy !== 'noeviction',
  }
}

/** What a Redis server holds, and may hold, in bytes. */
export interface RedisMemory {
  /** For all of its users. */
  bytes(): Promise<number>
  /** `maxmemory`; undefined where it is not bounded. */
  mostBytes(): Promise<number | undefined>
}

/** `info` answers the server's INFO of memory. */
export function redisMemory(info: () => Promise<string>): RedisMemory {
  const figure = async (name: string) => {
    const found = new RegExp(`^${name}:([1-9]\\d*)`, 'm').exec(await info())
    return found === null ? undefined : Number(found[1])
  }
  return { bytes: async () => (await figure('used_memory')) ?? 0, mostBytes: () => figure('maxmemory') }
}
