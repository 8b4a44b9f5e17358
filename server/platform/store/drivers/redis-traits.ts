import type { StoreTraits } from '#server/platform/store/store-traits.ts'

/** Derived from the settings that the server reports. */
export function traitsOf(settings: Readonly<Record<string, string>>): StoreTraits {
  const { appendonly, appendfsync, 'maxmemory-policy': policy } = settings
  return {
    keepsEveryWrite: appendonly === undefined ? undefined : appendonly === 'yes' && appendfsync === 'always',
    evicts: policy === undefined ? undefined : policy !== 'noeviction',
  }
}

/** The memory that a Redis server uses and may use, in bytes. */
export interface RedisMemory {
  /** Across all of the server's users. */
  bytes(): Promise<number>
  /** `maxmemory`; undefined if it is unlimited. */
  mostBytes(): Promise<number | undefined>
}

/** `info` returns the memory section of the server's INFO. */
export function redisMemory(info: () => Promise<string>): RedisMemory {
  const figure = async (name: string) => {
    const found = new RegExp(`^${name}:([1-9]\\d*)`, 'm').exec(await info())
    return found === null ? undefined : Number(found[1])
  }
  return { bytes: async () => (await figure('used_memory')) ?? 0, mostBytes: () => figure('maxmemory') }
}
