import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock, Store } from '#server/store/store.ts'
import { createTable, deployment } from '#server/store/tables.ts'
import type { KeyRing } from './key-ring.ts'

const algorithm = 'ES256'
const rotateAfterInMilliseconds = 90 * 24 * 3600 * 1000
/** Longer than any token lives, so that a rotated key still verifies what it signed. */
const overlapInMilliseconds = 2 * 3600 * 1000
const reloadAfterInMilliseconds = 10_000

type PrivateKey = Awaited<ReturnType<typeof importJWK>>

interface StoredKey {
  kid: string
  created: number
  sealedPrivateKey: string
}

interface TokenKey {
  kid: string
  created: number
  privateKey: PrivateKey
  publicJwk: JWK
}

/** The keys that sign tokens. Rotation adds a key; the one before verifies until its last token has expired. */
export interface TokenKeys {
  current(): Promise<TokenKey>
  /** The public key of a `kid` that is ours, or undefined. */
  find(kid: string): Promise<JWK | undefined>
  publicKeys(): Promise<{ keys: JWK[] }>
}

export function createTokenKeys(store: Store, keyRing: KeyRing, now: Clock): TokenKeys {
  const table = createTable<StoredKey>(store, 'token-key')
  let known: TokenKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY

  async function load(): Promise<void> {
    const found: TokenKey[] = []
    for await (const stored of table.list(deployment)) found.push(await unseal(stored, keyRing))
    known = found.sort((a, b) => b.created - a.created)
    loadedAt = now()
  }

  async function addKey(): Promise<void> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const kid = randomUUID()
    const content = Buffer.from(JSON.stringify(await exportJWK(privateKey)))
    const sealedPrivateKey = keyRing.seal('token-key', kid, content)
    const lifetimeInSeconds = (rotateAfterInMilliseconds + overlapInMilliseconds) / 1000
    await table.put(deployment, kid, { kid, created: now(), sealedPrivateKey }, lifetimeInSeconds)
    await load()
  }

  const isFresh = (key: TokenKey | undefined) =>
    key !== undefined && now() - key.created < rotateAfterInMilliseconds

  /** One at a time, so that simultaneous first requests do not each make a key. */
  let preparing: Promise<void> | undefined
  async function prepare(): Promise<void> {
    if (isFresh(known[0])) return
    preparing ??= (async () => {
      await load()
      if (!isFresh(known[0])) await addKey()
    })().finally(() => {
      preparing = undefined
    })
    await preparing
  }

  return {
    async current() {
      await prepare()
      return known[0]!
    },
    async find(kid) {
      await prepare()
      const isKnown = known.some((key) => key.kid === kid)
      if (!isKnown && now() - loadedAt > reloadAfterInMilliseconds) await load()
      return known.find((key) => key.kid === kid)?.publicJwk
    },
    async publicKeys() {
      await prepare()
      return { keys: known.map((key) => key.publicJwk) }
    },
  }
}

async function unseal(stored: StoredKey, keyRing: KeyRing): Promise<TokenKey> {
  const jwk = JSON.parse(keyRing.open('token-key', stored.kid, stored.sealedPrivateKey).toString()) as JWK
  const { d: _private, ...publicPart } = jwk
  return {
    kid: stored.kid,
    created: stored.created,
    privateKey: await importJWK(jwk, algorithm),
    publicJwk: { ...publicPart, kid: stored.kid, alg: algorithm, use: 'sig' },
  }
}
