import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { RecordKind } from '#server/platform/store/records/record-kinds.ts'
import type { Awaitable, Clock, Store } from '#server/platform/store/store.ts'
import { createTable, deployment, type Table } from '#server/platform/store/tables.ts'

const rotateAfterInMilliseconds = 90 * 24 * 3600 * 1000

/** The key algorithm: P-256, or RSA with 2,048 bits. */
export interface KeyKind {
  readonly name: RecordKind
  readonly algorithm: 'ES256' | 'ECDH-ES' | 'RS256'
  readonly use: 'sig' | 'enc'
  /** How long a key stays valid after its replacement: longer than the lifetime of anything made with it. */
  readonly overlapInMilliseconds: number
  /** How long a key is published before it signs, while another key can sign; defaults to 0. */
  readonly publishedFirstInMilliseconds?: number
}

/** Longer than any token's lifetime, so that a rotated key still verifies its tokens. */
const tokenKind: KeyKind = {
  name: 'token-key',
  algorithm: 'ES256',
  use: 'sig',
  overlapInMilliseconds: 2 * 3600 * 1000,
}

/**
 * [Note: Rotated elsewhere] How long this process may accept a key that another process has dropped. New keys are known
 * immediately, because an unknown key is looked up in the store.
 */
export const reloadAfterInMilliseconds = 3000

type PublicKey = Awaited<ReturnType<typeof importJWK>>

interface StoredKey {
  kid: string
  created: number
  sealedPrivateKey: string
  /** When it stops verifying, if its replacement is to take effect early. */
  ends?: number
}

/** The storage for one kind of key, and the keys that seal them. */
interface Shelf {
  readonly table: Table<StoredKey>
  readonly keyRing: KeyRing
  readonly now: Clock
  readonly kind: KeyKind
}

export interface TokenKey {
  kid: string
  created: number
  privateKey: KeyObject
  publicKey: PublicKey
  publicJwk: JWK
}

/**
 * The keys that sign tokens, or serve another purpose of this kind. Rotation adds a key; the previous key verifies until its
 * last token has expired.
 */
export interface TokenKeys {
  /** Synchronous if the key is cached, because every token needs it. */
  current(): Awaitable<TokenKey>
  /** The key with a `kid` that this deployment issued, or undefined. */
  find(kid: string): Promise<TokenKey | undefined>
  publicKeys(): Promise<{ keys: JWK[] }>
  /**
   * Signs with a new key from now on, or once it has been published for long enough, and returns its `kid`. `immediately` drops
   * the other keys and invalidates all of their tokens.
   */
  rotate(immediately: boolean): Promise<string>
}

export function createTokenKeys(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  kind: KeyKind = tokenKind,
): TokenKeys {
  const table = createTable<StoredKey>(store, kind.name)
  const shelf: Shelf = { table, keyRing, now, kind }
  let known: TokenKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY

  async function load(): Promise<void> {
    const opened = new Map(known.map((key) => [key.kid, key]))
    const found: TokenKey[] = []
    for await (const stored of table.listReadable(deployment)) {
      found.push(opened.get(stored.kid) ?? (await unseal(stored, keyRing, kind)))
    }
    known = found.sort((a, b) => b.created - a.created)
    loadedAt = now()
  }

  const signer = () => signerOf(known, now() - (kind.publishedFirstInMilliseconds ?? 0))
  const hasFresh = () => known[0] !== undefined && now() - known[0].created < rotateAfterInMilliseconds

  /** Runs once at a time, so that simultaneous first requests do not each create a key. */
  let preparing: Promise<void> | undefined
  const renewal = createRenewal(shelf, () => known[0])
  const isPrepared = () =>
    (hasFresh() || renewal.isWaiting()) && now() - loadedAt <= reloadAfterInMilliseconds
  async function prepare(): Promise<void> {
    if (isPrepared()) return
    preparing ??= (async () => {
      await load()
      if (hasFresh() || renewal.isWaiting()) return
      if (await renewal.add()) await load()
    })().finally(() => {
      preparing = undefined
    })
    await preparing
  }

  return {
    current: () => (isPrepared() ? signer() : prepare().then(signer)),
    async find(kid) {
      await prepare()
      const find = () => known.find((key) => key.kid === kid)
      if (find() === undefined && (await table.get(deployment, kid)) !== undefined) await load()
      return find()
    },
    publicKeys: () => prepare().then(() => ({ keys: known.map((key) => key.publicJwk) })),
    async rotate(immediately) {
      await load()
      const kid = await replaceKeys(shelf, known[0], immediately)
      await load()
      return kid
    },
  }
}

/**
 * [Note: An old key is better than none] If a newer key cannot be stored, the previous one keeps signing while it is valid,
 * and storing is retried.
 */
function createRenewal(shelf: Shelf, newest: () => TokenKey | undefined) {
  const { now, kind } = shelf
  let failedAt = Number.NEGATIVE_INFINITY
  const isGood = () => now() - (newest()?.created ?? Number.NEGATIVE_INFINITY) < lifetimeOf(kind)
  return {
    /** True if storing failed recently and there is a key to sign with. */
    isWaiting: () => isGood() && now() - failedAt <= reloadAfterInMilliseconds,
    /** Returns true if there is a newer key now. @throws if it cannot be stored and there is no other key */
    async add(): Promise<boolean> {
      try {
        await addKey(shelf, newest())
        return true
      } catch (error) {
        if (!isGood()) throw error
        failedAt = now()
        return false
      }
    },
  }
}

/** The newest key created by that time, or the newest of all if there is none. */
function signerOf(newestFirst: readonly TokenKey[], madeBy: number): TokenKey {
  return newestFirst.find(({ created }) => created <= madeBy) ?? newestFirst[0]!
}

/**
 * Creates a key and returns its `kid`. Its creation time is later than every other key's, whatever the clock says, because
 * the newest key signs.
 */
async function addKey({ table, keyRing, now, kind }: Shelf, newest: TokenKey | undefined): Promise<string> {
  const shape = kind.algorithm === 'RS256' ? { modulusLength: 2048 } : { crv: 'P-256' }
  const { privateKey } = await generateKeyPair(kind.algorithm, { extractable: true, ...shape })
  const kid = randomUUID()
  const content = Buffer.from(JSON.stringify(await exportJWK(privateKey)))
  const sealedPrivateKey = keyRing.seal(kind.name, kid, content)
  const created = Math.max(now(), (newest?.created ?? 0) + 1)
  const made: StoredKey = { kid, created, sealedPrivateKey }
  await table.put(deployment, kid, made, lifetimeOf(kind) / 1000)
  return kid
}

/** Creates a key that replaces all others, and returns its `kid`. */
async function replaceKeys(
  shelf: Shelf,
  newest: TokenKey | undefined,
  immediately: boolean,
): Promise<string> {
  const former = await allOf(shelf.table.list(deployment))
  const kid = await addKey(shelf, newest)
  for (const stored of former) {
    if (immediately) await shelf.table.remove(deployment, stored.kid)
    else if (stored.ends === undefined) await end(shelf, stored)
  }
  return kid
}

/** A replaced key verifies until its last token has expired. */
async function end({ table, now, kind }: Shelf, stored: StoredKey): Promise<void> {
  const left = Math.min(kind.overlapInMilliseconds, stored.created + lifetimeOf(kind) - now())
  await table.put(deployment, stored.kid, { ...stored, ends: now() + left }, left / 1000)
}

/** In milliseconds. */
function lifetimeOf({ overlapInMilliseconds }: KeyKind): number {
  return rotateAfterInMilliseconds + overlapInMilliseconds
}

async function unseal(stored: StoredKey, keyRing: KeyRing, kind: KeyKind): Promise<TokenKey> {
  const { name, algorithm, use } = kind
  const jwk = JSON.parse(keyRing.open(name, stored.kid, stored.sealedPrivateKey).toString()) as JWK
  const publicPart = publicPartOf(jwk)
  return {
    kid: stored.kid,
    created: stored.created,
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicKey: await importJWK(publicPart, algorithm),
    publicJwk: { ...publicPart, kid: stored.kid, alg: algorithm, use },
  }
}

/** Picks the public members by name, so that no unexpected member is published. */
function publicPartOf({ kty, crv, x, y, n, e }: JWK): JWK {
  const members = Object.entries({ kty, crv, x, y, n, e })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JWK
}
