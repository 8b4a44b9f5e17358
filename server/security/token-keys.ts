import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock, Store } from '#server/store/store.ts'
import { createTable, deployment } from '#server/store/tables.ts'
import type { KeyRing } from './key-ring.ts'

const algorithm = 'ES256'
const rotateAfterInMilliseconds = 90 * 24 * 3600 * 1000
/** Longer than any token lives, so that a rotated key still verifies what it signed. */
const overlapInMilliseconds = 2 * 3600 * 1000
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

interface TokenKey {
  kid: string
  created: number
  privateKey: KeyObject
  publicKey: PublicKey
  publicJwk: JWK
}

/** The keys that sign tokens. Rotation adds a key; the one before verifies until its last token has expired. */
export interface TokenKeys {
  current(): Promise<TokenKey>
  /** The public key of a `kid` that is ours, or undefined. */
  find(kid: string): Promise<PublicKey | undefined>
  publicKeys(): Promise<{ keys: JWK[] }>
  /** Signs with a new key from now on; answers its `kid`. `immediately` drops the others and all of their tokens. */
  rotate(immediately: boolean): Promise<string>
}

export function createTokenKeys(store: Store, keyRing: KeyRing, now: Clock): TokenKeys {
  const table = createTable<StoredKey>(store, 'token-key')
  let known: TokenKey[] = []
  let loadedAt = Number.NEGATIVE_INFINITY

  async function load(): Promise<void> {
    const opened = new Map(known.map((key) => [key.kid, key]))
    const found: TokenKey[] = []
    for await (const stored of table.list(deployment)) {
      found.push(opened.get(stored.kid) ?? (await unseal(stored, keyRing)))
    }
    known = found.sort((a, b) => b.created - a.created)
    loadedAt = now()
  }

  /** Newer than every other, whatever the clock says: the newest signs. */
  async function addKey(): Promise<string> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const kid = randomUUID()
    const content = Buffer.from(JSON.stringify(await exportJWK(privateKey)))
    const sealedPrivateKey = keyRing.seal('token-key', kid, content)
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
      if (found !== undefined || (await table.get(deployment, kid)) === undefined) return found?.publicKey
      await load()
      return known.find((key) => key.kid === kid)?.publicKey
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

async function unseal(stored: StoredKey, keyRing: KeyRing): Promise<TokenKey> {
  const jwk = JSON.parse(keyRing.open('token-key', stored.kid, stored.sealedPrivateKey).toString()) as JWK
  const { d: _private, ...publicPart } = jwk
  return {
    kid: stored.kid,
    created: stored.created,
    privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    publicKey: await importJWK(publicPart, algorithm),
    publicJwk: { ...publicPart, kid: stored.kid, alg: algorithm, use: 'sig' },
  }
}
