import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock, Store } from '#server/store/store.ts'
import { createTable, deployment } from '#server/store/tables.ts'
import type { KeyRing } from './key-ring.ts'

const rotateAfterInMilliseconds = 90 * 24 * 3600 * 1000

/** What a key on P-256 is for. */
export interface KeyKind {
  readonly name: string
  readonly algorithm: 'ES256' | 'ECDH-ES'
  readonly use: 'sig' | 'enc'
  /** How long a key is good after another one took its place: longer than anything lives that was made with it. */
  readonly overlapInMilliseconds: number
}

/** Longer than any token lives, so that a rotated key still verifies what it signed. */
const tokenKind: KeyKind = {
  name: 'token-key',
  algorithm: 'ES256',
  use: 'sig',
  overlapInMilliseconds: 2 * 3600 * 1000,
}

/**
 * [Note: Rotated elsewhere] How long this process may take a key for good that another one has dropped. A key that
 * another one has made is known at once: one that is not known here is looked for in the store.
 */
const reloadAfterInMilliseconds = 3000

type PublicKey = Awaited<ReturnType<typeof importJWK>>

interface StoredKey {
  kid: string
  created: number
  sealedPrivateKey: string
  /** When it stops verifying, once another one has taken its place early. */
  ends?: number
}

export interface TokenKey {
  kid: string
  created: number
  privateKey: KeyObject
  publicKey: PublicKey
  publicJwk: JWK
}

/** The keys that sign tokens, or are for something else of the kind. Rotation adds a key; the one before verifies until its last token has expired. */
export interface TokenKeys {
  current(): Promise<TokenKey>
  /** The key of a `kid` that is ours, or undefined. */
  find(kid: string): Promise<TokenKey | undefined>
  publicKeys(): Promise<{ keys: JWK[] }>
  /** Signs with a new key from now on; answers its `kid`. `immediately` drops the others and all of their tokens. */
  rotate(immediately: boolean): Promise<string>
}

export function createTokenKeys(
  store: Store,
  keyRing: KeyRing,
  now: Clock,
  kind: KeyKind = tokenKind,
): TokenKeys {
  const { overlapInMilliseconds } = kind
  const table = createTable<StoredKey>(store, kind.name)
  let known: TokenKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY

  async function load(): Promise<void> {
    const opened = new Map(known.map((key) => [key.kid, key]))
    const found: TokenKey[] = []
    for await (const stored of table.list(deployment)) {
      found.push(opened.get(stored.kid) ?? (await unseal(stored, keyRing, kind)))
    }
    known = found.sort((a, b) => b.created - a.created)
    loadedAt = now()
  }

  /** Newer than every other, whatever the clock says: the newest signs. */
  async function addKey(): Promise<string> {
    const { privateKey } = await generateKeyPair(kind.algorithm, { extractable: true, crv: 'P-256' })
    const kid = randomUUID()
    const content = Buffer.from(JSON.stringify(await exportJWK(privateKey)))
    const sealedPrivateKey = keyRing.seal(kind.name, kid, content)
    const lifetimeInSeconds = (rotateAfterInMilliseconds + overlapInMilliseconds) / 1000
    const created = Math.max(now(), (known[0]?.created ?? 0) + 1)
    await table.put(deployment, kid, { kid, created, sealedPrivateKey }, lifetimeInSeconds)
    return kid
  }

  const isFresh = (key: TokenKey | undefined) =>
    key !== undefined && now() - key.created < rotateAfterInMilliseconds

  /** One at a time, so that simultaneous first requests do not each make a key. */
  let preparing: Promise<void> | undefined
  async function prepare(): Promise<void> {
    if (isFresh(known[0]) && now() - loadedAt <= reloadAfterInMilliseconds) return
    preparing ??= (async () => {
      await load()
      if (isFresh(known[0])) return
      await addKey()
      await load()
    })().finally(() => {
      preparing = undefined
    })
    await preparing
  }

  /** The former keys verify until the last token of theirs has expired, or not at all. */
  async function end(stored: StoredKey, immediately: boolean): Promise<void> {
    if (immediately) return table.remove(deployment, stored.kid)
    const endOfLife = stored.created + rotateAfterInMilliseconds + overlapInMilliseconds
    const leftInSeconds = Math.min(overlapInMilliseconds, endOfLife - now()) / 1000
    await table.put(deployment, stored.kid, { ...stored, ends: now() + leftInSeconds * 1000 }, leftInSeconds)
  }

  return {
    async current() {
      await prepare()
      return known[0]!
    },
    async find(kid) {
      await prepare()
      const found = known.find((key) => key.kid === kid)
      if (found !== undefined || (await table.get(deployment, kid)) === undefined) return found
      await load()
      return known.find((key) => key.kid === kid)
    },
    async publicKeys() {
      await prepare()
      return { keys: known.map((key) => key.publicJwk) }
    },
    async rotate(immediately) {
      await load()
      const former: StoredKey[] = []
      for await (const stored of table.list(deployment)) former.push(stored)
      const kid = await addKey()
      for (const stored of former)
        if (immediately || stored.ends === undefined) await end(stored, immediately)
      await load()
      return kid
    },
  }
}

async function unseal(stored: StoredKey, keyRing: KeyRing, kind: KeyKind): Promise<TokenKey> {
  const { name, algorithm, use } = kind
  const jwk = JSON.parse(keyRing.open(name, stored.kid, stored.sealedPrivateKey).toString()) as JWK
  const { d: _private, ...publicPart } = jwk
  return {
    kid: stored.kid,
    created: stored.created,
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicKey: await importJWK(publicPart, algorithm),
    publicJwk: { ...publicPart, kid: stored.kid, alg: algorithm, use },
  }
}
