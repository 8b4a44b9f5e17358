import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { KeyRing } from '#server/security/key-ring.ts'
import { allOf } from '#server/store/all-of.ts'
import type { Store, Write } from '#server/store/store.ts'
import { createTable, type Read } from '#server/store/tables.ts'

/** A passkey of a person, and the visit that it was bound at. */
export interface Passkey {
  readonly credentialId: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** How often it says that it was used; 0 for one that does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Milliseconds since 1970. */
  readonly boundAt: number
  readonly sessionId: string
  readonly face: BoundFace
}

/** Whose passkeys they are. */
export interface Person {
  readonly accountId: string
  readonly externalId: string
}

/** What a person may bind a passkey with who just passed, and until when. */
export interface PasskeyOffer extends Person {
  readonly face: BoundFace
}

/** One that is not shown for so long is forgotten. */
const keptInSeconds = 400 * 24 * 3600

/**
 * Passkeys of persons, and offers to bind one.
 * [Note: Passkeys are sealed] A passkey holds the embedding of a face, so it is kept as sessions are: sealed, under a
 * keyed digest of the person, and gone with the person.
 */
export interface PasskeyStore {
  list(person: Person): Promise<Passkey[]>
  read(person: Person, credentialId: string): Promise<Read<Passkey> | undefined>
  /** For a commit: keeps it, from now for 400 days. */
  write(person: Person, passkey: Passkey): Promise<Write>
  remove(person: Person, credentialId: string): Promise<Write>
  /** Forgets all of a person; answers how many there were. */
  forget(person: Person): Promise<number>
  offer(accountId: string, sessionId: string): Promise<Read<PasskeyOffer> | undefined>
  writeOffer(sessionId: string, offer: PasskeyOffer, expiresInSeconds: number): Write
  removeOffer(accountId: string, sessionId: string): Write
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly accounts: Pick<Accounts, 'find' | 'personDigest'>
}

/** As a record stands in the store: its id stays readable, or it could not be opened. */
interface Sealed {
  readonly id: string
  readonly sealed: string
}

export function createPasskeyStore({ store, keyRing, accounts }: Dependencies): PasskeyStore {
  const passkeys = createTable<Sealed>(store, 'passkey')
  const offers = createTable<Sealed>(store, 'passkey-offer')

  async function ownerOf({ accountId, externalId }: Person): Promise<string> {
    const account = await accounts.find(accountId)
    if (account === undefined) throw new Error('A passkey of an account that there is not')
    return `${accountId}/${accounts.personDigest(account, externalId)}`
  }

  const seal = (owner: string, id: string, content: object): Sealed => ({
    id,
    sealed: keyRing.seal('passkey', `${owner}/${id}`, Buffer.from(JSON.stringify(content))),
  })
  const open = <T>(owner: string, { id, sealed }: Sealed) =>
    JSON.parse(keyRing.open('passkey', `${owner}/${id}`, sealed).toString()) as T

  async function list(person: Person): Promise<Passkey[]> {
    const owner = await ownerOf(person)
    return (await allOf(passkeys.list(owner))).map((sealed) => open<Passkey>(owner, sealed))
  }

  async function remove(person: Person, credentialId: string): Promise<Write> {
    return passkeys.write(await ownerOf(person), credentialId, undefined)
  }

  return {
    list,
    remove,
    async read(person, credentialId) {
      const owner = await ownerOf(person)
      const read = await passkeys.read(owner, credentialId)
      return read && { ...read, value: open<Passkey>(owner, read.value) }
    },
    async write(person, passkey) {
      const owner = await ownerOf(person)
      const { credentialId } = passkey
      return passkeys.write(owner, credentialId, seal(owner, credentialId, passkey), keptInSeconds)
    },
    async forget(person) {
      const all = await list(person)
      const writes = await Promise.all(all.map(({ credentialId }) => remove(person, credentialId)))
      if (writes.length > 0) await store.commit(writes, [])
      return all.length
    },
    async offer(accountId, sessionId) {
      const read = await offers.read(accountId, sessionId)
      return read && { ...read, value: open<PasskeyOffer>(accountId, read.value) }
    },
    writeOffer: (sessionId, offer, expiresInSeconds) =>
      offers.write(offer.accountId, sessionId, seal(offer.accountId, sessionId, offer), expiresInSeconds),
    removeOffer: (accountId, sessionId) => offers.write(accountId, sessionId, undefined),
  }
}
