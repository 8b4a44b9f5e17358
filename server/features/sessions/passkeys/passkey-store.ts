import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type Read } from '#server/platform/store/tables.ts'
import type { Attested } from '#server/platform/web-authn/attestation/attestation.ts'
import type { Credential } from '#server/platform/web-authn/web-authn.ts'

/** A passkey of a person, and the visit at which it was bound. */
export interface Passkey extends Credential {
  /** Milliseconds since 1970. */
  readonly boundAt: number
  readonly sessionId: string
  readonly face: BoundFace
  /** The attestation of its device; absent from passkeys bound before attestations were requested. */
  readonly attested?: Attested
}

/** The owner of passkeys. */
export interface Person {
  readonly accountId: string
  readonly externalId: string
}

/** The offer to bind a passkey to a person who has just passed. */
export interface PasskeyOffer extends Person {
  readonly face: BoundFace
  /** The bound passkey that was shown in the same visit; absent if there was none. */
  readonly shown?: string
}

/** All stored data about a person's passkeys. */
export interface Standing {
  readonly bound: readonly Passkey[]
  /** The one face that every passkey of the person is pinned to; undefined before the first is bound. */
  readonly face: BoundFace | undefined
  /** Holds while no passkey is bound or shown in the meantime. */
  readonly guard: Guard
}

/** A passkey that has not been shown for this long is erased. */
const keptInSeconds = 400 * 24 * 3600

/**
 * Passkeys of persons, and offers to bind one. [Note: Passkeys are sealed] A passkey contains the embedding of a face, so
 * it is stored like a session: sealed, under a keyed digest of the person, and erased with the person.
 */
export interface PasskeyStore {
  list(person: Person): Promise<Passkey[]>
  standing(person: Person): Promise<Standing>
  read(person: Person, credentialId: string): Promise<Read<Passkey> | undefined>
  /** For a commit: stores it for 400 days from now. */
  write(person: Person, passkey: Passkey): Promise<Write>
  /** For a commit: stores the face for 400 days from now. Commits based on an earlier `Standing` then fail. */
  writeFace(person: Person, face: BoundFace): Promise<Write>
  /**
   * Removes all passkeys of a person, and keeps the face for its remaining time; returns their number, or undefined if
   * one was bound in the meantime.
   */
  reset(person: Person): Promise<number | undefined>
  /** Erases all passkeys of a person, and the face. */
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

/** Each owner has one face. Names of passkeys contain no space. */
const faceId = 'the face'

/** A record as stored. Its id stays readable, because it is needed to open the rest. */
interface Sealed {
  readonly id: string
  readonly sealed: string
}

/** The tables of passkeys, and their encoding. */
function createShelves({ store, keyRing, accounts }: Dependencies) {
  const passkeys = createTable<Sealed>(store, 'passkey')
  const offers = createTable<Sealed>(store, 'passkey-offer')
  const faces = createTable<Sealed>(store, 'passkey-face')

  async function ownerOf({ accountId, externalId }: Person): Promise<string> {
    const account = await accounts.find(accountId)
    if (account === undefined) throw new Error('The account of the passkey does not exist')
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
    // The face is read first, so that a later binding breaks the guard.
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
      // Passkeys from before the face was stored separately contain it themselves.
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
 * The face of passkeys that were bound before it was stored separately: that of the first one, or of the first one since
 * a change of the embedding model.
 */
function firstFaceOf(bound: readonly Passkey[]): BoundFace | undefined {
  const inTurn = bound.toSorted((a, b) => a.boundAt - b.boundAt)
  const model = inTurn.at(-1)?.face.embeddingModel
  return inTurn.find(({ face }) => face.embeddingModel === model)?.face
}
