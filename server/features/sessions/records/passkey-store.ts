import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { Accounts } from '#server/features/accounts/accounts.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Guard, Store, Write } from '#server/platform/store/store.ts'
import { createTable, type GuardedRecord } from '#server/platform/store/tables.ts'
import type { AttestationOutcome } from '#server/platform/web-authn/attestation/attestation.ts'
import type { Credential } from '#server/platform/web-authn/web-authn.ts'

/** A person's passkey, and the visit in which it was bound. */
export interface Passkey extends Credential {
  /** Milliseconds since 1970. */
  readonly boundAt: number
  readonly sessionId: string
  readonly face: BoundFace
  /** The attestation for its device; absent if the passkey was bound before attestations were requested. */
  readonly attested?: AttestationOutcome
}

/** The person who owns the passkeys. */
export interface Person {
  readonly accountId: string
  readonly externalId: string
}

/** An offer to bind a passkey, made to a person who just passed. */
export interface PasskeyOffer extends Person {
  readonly face: BoundFace
  /** The bound passkey shown in the same visit; absent if none was shown. */
  readonly shown?: string
}

/** Everything stored about a person's passkeys. */
export interface PasskeyStanding {
  readonly bound: readonly Passkey[]
  /** The one face that all of the person's passkeys are pinned to; undefined before the first is bound. */
  readonly face: BoundFace | undefined
  /** Holds as long as no passkey is bound or shown in the meantime. */
  readonly guard: Guard
}

/** A passkey that has not been shown for this long is erased. */
const keptInSeconds = 400 * 24 * 3600

/**
 * People's passkeys, and offers to bind one. [Note: Passkeys are sealed] A passkey contains a face embedding, so it is
 * stored like a session: sealed, under a keyed digest of the person, and erased with the person.
 */
export interface PasskeyStore {
  list(person: Person): Promise<Passkey[]>
  standing(person: Person): Promise<PasskeyStanding>
  read(person: Person, credentialId: string): Promise<GuardedRecord<Passkey> | undefined>
  /** The write that stores the passkey for 400 days from now. */
  write(person: Person, passkey: Passkey): Promise<Write>
  /** The write that stores the face for 400 days from now. Commits based on an earlier `PasskeyStanding` then fail. */
  writeFace(person: Person, face: BoundFace): Promise<Write>
  /**
   * Removes all of a person's passkeys but keeps the face for its remaining time. Returns how many, or undefined if one was
   * bound in the meantime.
   */
  reset(person: Person): Promise<number | undefined>
  /** Erases all of a person's passkeys, and the face. */
  forget(person: Person): Promise<void>
  offer(accountId: string, sessionId: string): Promise<GuardedRecord<PasskeyOffer> | undefined>
  writeOffer(sessionId: string, offer: PasskeyOffer, expiresInSeconds: number): Write
  removeOffer(accountId: string, sessionId: string): Write
}

interface Dependencies {
  readonly store: Store
  readonly keyRing: KeyRing
  readonly accounts: Pick<Accounts, 'find' | 'personDigest'>
}

/** Each owner has one face. Passkey names do not contain spaces. */
const faceId = 'the face'

/** A stored record. Its ID stays readable because it is needed to open the rest. */
interface SealedRecord {
  readonly id: string
  readonly sealed: string
}

/** The passkey tables and their encoding. */
function createShelves({ store, keyRing, accounts }: Dependencies) {
  const passkeys = createTable<SealedRecord>(store, 'passkey')
  const offers = createTable<SealedRecord>(store, 'passkey-offer')
  const faces = createTable<SealedRecord>(store, 'passkey-face')

  async function findOwner({ accountId, externalId }: Person): Promise<string> {
    const account = await accounts.find(accountId)
    if (account === undefined) throw new Error('The account of the passkey does not exist')
    return `${accountId}/${accounts.personDigest(account, externalId)}`
  }

  const seal = (owner: string, id: string, content: object): SealedRecord => ({
    id,
    sealed: keyRing.seal('passkey', `${owner}/${id}`, Buffer.from(JSON.stringify(content))),
  })
  const open = <T>(owner: string, { id, sealed }: SealedRecord) =>
    JSON.parse(keyRing.open('passkey', `${owner}/${id}`, sealed).toString()) as T
  const bound = async (owner: string) =>
    (await allOf(passkeys.list(owner))).map((sealed) => open<Passkey>(owner, sealed))
  const writeFace = (owner: string, face: BoundFace) =>
    faces.write(owner, faceId, seal(owner, faceId, face), keptInSeconds)
  const removeAll = (owner: string, gone: readonly Passkey[]) =>
    gone.map(({ credentialId }) => passkeys.write(owner, credentialId, undefined))

  async function standing(owner: string): Promise<PasskeyStanding> {
    // The face is read first, so that a later binding breaks the guard.
    const kept = await faces.read(owner, faceId)
    const found = await bound(owner)
    const face = kept === undefined ? firstFaceOf(found) : open<BoundFace>(owner, kept.value)
    return { bound: found, face, guard: kept?.guard ?? faces.absent(owner, faceId) }
  }

  return { passkeys, offers, faces, findOwner, seal, open, bound, writeFace, removeAll, standing }
}

export function createPasskeyStore(services: Dependencies): PasskeyStore {
  const { store } = services
  const shelves = createShelves(services)
  const { passkeys, offers, faces, findOwner, seal, open, removeAll } = shelves

  return {
    list: async (person) => shelves.bound(await findOwner(person)),
    standing: async (person) => shelves.standing(await findOwner(person)),
    async read(person, credentialId) {
      const owner = await findOwner(person)
      const read = await passkeys.read(owner, credentialId)
      return read && { ...read, value: open<Passkey>(owner, read.value) }
    },
    async write(person, passkey) {
      const owner = await findOwner(person)
      const { credentialId } = passkey
      return passkeys.write(owner, credentialId, seal(owner, credentialId, passkey), keptInSeconds)
    },
    writeFace: async (person, face) => shelves.writeFace(await findOwner(person), face),
    async reset(person) {
      const owner = await findOwner(person)
      const { bound, face, guard } = await shelves.standing(owner)
      const writes = removeAll(owner, bound)
      // Passkeys from before the face was stored separately contain the face themselves.
      if (guard.value === undefined && face !== undefined) writes.push(shelves.writeFace(owner, face))
      return writes.length === 0 || (await store.commit(writes, [guard])) ? bound.length : undefined
    },
    async forget(person) {
      const owner = await findOwner(person)
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
 * The face for passkeys bound before the face was stored separately: the first passkey's, or the first one's since the
 * embedding model changed.
 */
function firstFaceOf(bound: readonly Passkey[]): BoundFace | undefined {
  const inTurn = bound.toSorted((a, b) => a.boundAt - b.boundAt)
  const model = inTurn.at(-1)?.face.embeddingModel
  return inTurn.find(({ face }) => face.embeddingModel === model)?.face
}
