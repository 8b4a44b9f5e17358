import { hash, randomBytes, randomUUID } from 'node:crypto'
import type { ApiKey } from '#server/features/callers/callers.ts'
import { sameDigest } from '#server/platform/crypto/constant-time.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store, Write } from '#server/platform/store/store.ts'
import { createTable, deployment, type GuardedRecord, type Table } from '#server/platform/store/tables.ts'
import type { Scope } from '#shared/endpoint.ts'

const lastUseResolutionInMilliseconds = 60_000
const mostRemembered = 10_000
/** How many keys are cached in decoded form, because every request reads one. */
const mostKept = 1000

export interface NewKey {
  readonly key: ApiKey
  /** The key's value. This is the only place where it is returned. */
  readonly apiKey: string
}

/** The accounts' API keys. They are looked up by hash. Values are also stored sealed, because webhooks carry one. */
export interface ApiKeys {
  /** `value` is a random value chosen by the caller. */
  make(
    accountId: string,
    name: string,
    scopes: readonly Scope[],
    value?: string,
  ): NewKey & { writes: Write[] }
  find(accountId: string, keyId: string): Promise<ApiKey | undefined>
  /** The stored record, for callers that change it. */
  read(accountId: string, keyId: string): Promise<GuardedRecord<ApiKey> | undefined>
  /** Every key that has ever existed, oldest first. */
  list(accountId: string): Promise<ApiKey[]>
  write(key: ApiKey): Write
  /** The key with this value, unless it is unknown or revoked. Records that it was used. */
  authenticate(apiKey: string): Promise<ApiKey | undefined>
  valueOf(key: ApiKey): string
}

interface Place {
  accountId: string
  keyId: string
}

/** [Note: What was revoked stays refused] `isWithdrawn` knows about revocations that a record may no longer show. */
export function createApiKeys(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  isWithdrawn: (accountId: string, keyId: string) => boolean = () => false,
): ApiKeys {
  const asItCounts = createCounting(now, isWithdrawn)
  const keys = createTable<ApiKey>(store, 'api-key', { kept: mostKept })
  const keysByDigest = createTable<Place>(store, 'api-key-by-digest')
  const write = (key: ApiKey) => keys.write(key.accountId, key.keyId, key)

  /**
   * [Note: Revoked at once] A key's location never changes and is cached. The key itself is read each time, so that a
   * revocation applies to the next request in every process.
   */
  const places = new Map<string, Place>()
  async function findPlace(digest: string): Promise<Place | undefined> {
    const found = await keysByDigest.get(deployment, digest)
    if (found === undefined) return undefined
    if (places.size >= mostRemembered) places.clear()
    places.set(digest, found)
    return found
  }

  const noteUse = createUseNotes(store, keys, now)

  return {
    make(accountId, name, scopes, value = randomBytes(32).toString('base64url')) {
      const created = new Date(now()).toISOString()
      const made = newKey(keyRing, { accountId, name, scopes, created }, value)
      const { keyId, digest } = made.key
      return {
        ...made,
        writes: [write(made.key), keysByDigest.write(deployment, digest, { accountId, keyId })],
      }
    },
    find: (accountId, keyId) => keys.get(accountId, keyId).then((key) => key && asItCounts(key)),
    read: (accountId, keyId) => keys.read(accountId, keyId),
    async list(accountId) {
      const found = (await allOf(keys.list(accountId))).map(asItCounts)
      return found.sort((a, b) => compare(a.created, b.created) || compare(a.keyId, b.keyId))
    },
    write,
    async authenticate(apiKey) {
      const digest = digestOf(apiKey)
      const place = places.get(digest) ?? (await findPlace(digest))
      const key = place && (await keys.get(place.accountId, place.keyId))
      const known = sameDigest(digest, key?.digest ?? '')
      if (!known || key === undefined || asItCounts(key).revoked !== null) return undefined
      const noting = noteUse(key)
      if (noting !== undefined) await noting
      return key
    },
    valueOf: (key) => keyRing.open('api-key', contextOf(key), key.sealedValue).toString(),
  }
}

/**
 * A key's effective state. A withdrawn key has its creation time as `revoked`, because none of its earlier states can be
 * trusted. A key that ends later works until then by each process's clock; one that was revoked immediately is revoked
 * whatever the clock says.
 */
function createCounting(now: Clock, isWithdrawn: (accountId: string, keyId: string) => boolean) {
  return (key: ApiKey): ApiKey => {
    const { ends, ...ended } = key
    if (ends !== undefined) return Date.parse(ends) > now() ? { ...key, revoked: null } : ended
    const isOut = key.revoked === null && isWithdrawn(key.accountId, key.keyId)
    return isOut ? { ...key, revoked: key.created } : key
  }
}

/** The record for a key that is revoked immediately or after an overlap; undefined if it already ends by then. */
export function endedKey(
  { ends: ending, ...key }: ApiKey,
  now: number,
  overlapInSeconds: number,
): ApiKey | undefined {
  const ends = new Date(now + overlapInSeconds * 1000).toISOString()
  if (key.revoked !== null && (ending === undefined || ending <= ends)) return undefined
  return { ...key, revoked: ends, ...(overlapInSeconds > 0 && { ends }) }
}

type NoteUse = (key: ApiKey) => Promise<void> | undefined

/** Limits writes to one per minute and key, however many requests arrive; undefined if none is due. A failed write never fails a request. */
function createUseNotes(store: Store, keys: Table<ApiKey>, now: Clock): NoteUse {
  const noting = new Map<string, Promise<void>>()

  async function write({ accountId, keyId }: ApiKey): Promise<void> {
    const read = await keys.read(accountId, keyId)
    if (read === undefined) return
    const used = { ...read.value, lastUsed: new Date(now()).toISOString() }
    await store.commit([keys.write(accountId, keyId, used)], [read.guard])
  }

  async function note(key: ApiKey): Promise<void> {
    const underWay = noting.get(key.keyId) ?? write(key).catch(() => undefined)
    noting.set(key.keyId, underWay)
    await underWay
    noting.delete(key.keyId)
  }

  /** When a key was last used, by the cached key object, which is replaced when it changes. */
  const usedAt = new WeakMap<ApiKey, number>()
  const timeOf = (key: ApiKey) => {
    const time = key.lastUsed === null ? Number.NEGATIVE_INFINITY : Date.parse(key.lastUsed)
    usedAt.set(key, time)
    return time
  }

  return (key) => {
    const lastUsed = usedAt.get(key) ?? timeOf(key)
    return now() - lastUsed < lastUseResolutionInMilliseconds ? undefined : note(key)
  }
}

function newKey(
  keyRing: KeyRing,
  { accountId, name, scopes, created }: Pick<ApiKey, 'accountId' | 'name' | 'scopes' | 'created'>,
  apiKey: string,
): NewKey {
  const keyId = randomUUID()
  const sealedValue = keyRing.seal('api-key', contextOf({ accountId, keyId }), Buffer.from(apiKey))
  const digest = digestOf(apiKey)
  const unused = { created, lastUsed: null, revoked: null }
  return {
    key: { keyId, accountId, name, scopes: [...new Set(scopes)], ...unused, digest, sealedValue },
    apiKey,
  }
}

function contextOf({ accountId, keyId }: Place): string {
  return `${accountId}/${keyId}`
}

function digestOf(apiKey: string): string {
  return hash('sha256', apiKey, 'hex')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
