import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type Read } from '#server/platform/store/tables.ts'
import type { Attested } from '#server/platform/web-authn/attestation/attestation.ts'
import type { Credential } from '#server/platform/web-authn/web-authn.ts'

/** A passkey of a person, and the visit that it was bound at. */
export interface Passkey extends Credential {
  /** Milliseconds since 1970. */
  readonly boundAt: number
  readonly sessionId: string
  readonly face: BoundFace
  /** Who vouches for its device; absent from passkeys that were bound before anybody was asked. */
  readonly attested?: Attested
}

/** Whose passkeys they are. */
export interface Person {
  readonly accountId: string
  readonly externalId: string
}

/** What a person may bind a passkey with who just passed. */
export interface PasskeyOffer extends Person {
  readonly face: BoundFace
  /** Which bound passkey was shown in the same visit; absent where none was. */
  readonly shown?: string
}

/** All that is kept of a person's passkeys. */
export interface Standing {
  readonly bound: readonly Passkey[]
  /** The one face that every passkey of the person is pinned to; undefined before the first is bound. */
  readonly face: BoundFace | undefined
  /** Holds as long as nobody bound or showed one meanwhile. */
  readonly guard: Guard
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
  standing(person: Person): Promise<Standing>
  read(person: Person, credentialId: string): Promise<Read<Passkey> | undefined>
  /** For a commit: keeps it, from now for 400 days. */
  write(person: Person, passkey: Passkey): Promise<Write>
  /** For a commit: keeps the face, from now for 400 days. Whoever holds an earlier `Standing` comes too late. */
  writeFace(person: Person, face: BoundFace): Promise<Write>
  /**
   * Takes all of a person back, and keeps the face as long as it was to be kept; answers how many there were, or undefined
   * where somebody bound one meanwhile.
   */
  reset(person: Person): Promise<number | undefined>
  /** Forgets all of a person, and the face. */
  forget(person: Person): Promise<void>
  offer(accountId: string, sessionId: string): Promise<Read<PasskeyOffer> | undefined>
  writeOffer(sessionId: string, offer: PasskeyOffer, expiresInSeconds: number): Write
  removeOffer(accountId: string, sessionId: string): Write
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly accounts: Pick<Accounts, 'find' | 'personDigest'>
}

/** Of each owner there is one face; a space is in no name of a passkey. */
const faceId = 'the face'

/** As a record stands in the store: its id stays readable, or it could not be opened. */
interface Sealed {
  readonly id: string
  readonly sealed: string
}

/** The tables that all of it stands in, and how. */
function createShelves({ store, keyRing, accounts }: Dependencies) {
  const passkeys = createTable<Sealed>(store, 'passkey')
  const offers = createTable<Sealed>(store, 'passkey-offer')
  const faces = createTable<Sealed>(store, 'passkey-face')

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
  const bound = async (owner: string) =>
    (await allOf(passkeys.list(owner))).map((sealed) => open<Passkey>(owner, sealed))
  const writeFace = (owner: string, face: BoundFace) =>
    faces.write(owner, faceId, seal(owner, faceId, face), keptInSeconds)
  const removeAll = (owner: string, gone: readonly Passkey[]) =>
    gone.map(({ credentialId }) => passkeys.write(owner, credentialId, undefined))

  async function standing(owner: string): Promise<Standing> {
    // The face is read first: what is bound afterwards breaks the guard.
    const kept = await faces.read(owner, faceId)
    const found = await bound(owner)
    const face = kept === undefined ? firstFaceOf(found) : open<BoundFace>(owner, kept.value)
    return { bound: found, face, guard: kept?.guard ?? faces.absent(owner, faceId) }
  }

  return { passkeys, offers, faces, ownerOf, seal, open, bound, writeFace, removeAll, standing }
}

export function createPasskeyStore(services: Dependencies): PasskeyStore {
  const { store } = services
  const shelves = createShelves(services)
  const { passkeys, offers, faces, ownerOf, seal, open, removeAll } = shelves

  return {
    list: async (person) => shelves.bound(await ownerOf(person)),
    standing: async (person) => shelves.standing(await ownerOf(person)),
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
    writeFace: async (person, face) => shelves.writeFace(await ownerOf(person), face),
    async reset(person) {
      const owner = await ownerOf(person)
      const { bound, face, guard } = await shelves.standing(owner)
      const writes = removeAll(owner, bound)
      // Passkeys from before the face was kept separately hold it themselves.
      if (guard.value === undefined && face !== undefined) writes.push(shelves.writeFace(owner, face))
      return writes.length === 0 || (await store.commit(writes, [guard])) ? bound.length : undefined
    },
    async forget(person) {
      const owner = await ownerOf(person)
      const writes = removeAll(owner, await shelves.bound(owner))
      await store.commit([...writes, faces.write(owner, faceId, undefined)], [])
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

/**
 * The face of passkeys that were bound before it was kept separately: of the first one, or after a change of the
 * embedding model of the first one since.
 */
function firstFaceOf(bound: readonly Passkey[]): BoundFace | undefined {
  const inTurn = bound.toSorted((a, b) => a.boundAt - b.boundAt)
  const model = inTurn.at(-1)?.face.embeddingModel
  return inTurn.find(({ face }) => face.embeddingModel === model)?.face
}
