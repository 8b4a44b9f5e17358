import type { EarlierVisit } from '#models/rules/liveness/earlier/resemblance.ts'
import type { Visit } from '#models/rules/liveness/earlier/visit.ts'
import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'

/**
 * Figures about the sessions of the last 7 days. [Note: Earlier visits are sealed] They include a face embedding, so they
 * are stored like sessions, separately for each account, and erased along with the session and the person.
 */
export interface VisitStore {
  /** An account's visits, in no particular order. */
  list(accountId: string): Promise<EarlierVisit[]>
  /** The writes that add a visit to a commit. */
  write(accountId: string, visit: EarlierVisit, expiresInSeconds: number): Write
  erase(accountId: string, sessionId: string): Write
}

/** A stored visit. Its ID stays readable because it is needed to open the rest. */
interface SealedVisit {
  readonly sessionId: string
  readonly sealed: string
}

export function createVisitStore(store: Store, keyRing: KeyRing): VisitStore {
  const visits = createTable<SealedVisit>(store, 'earlier-visit')
  const contextOf = (accountId: string, sessionId: string) => `${accountId}/${sessionId}`
  return {
    async list(accountId) {
      const found: EarlierVisit[] = []
      for await (const { sessionId, sealed } of visits.list(accountId)) {
        const content = keyRing.open('earlier-visit', contextOf(accountId, sessionId), sealed)
        found.push(unpacked(sessionId, JSON.parse(content.toString()) as PackedVisit))
      }
      return found
    },
    write(accountId, visit, expiresInSeconds) {
      const { sessionId } = visit
      const content = Buffer.from(JSON.stringify(packed(visit)))
      const sealed = keyRing.seal('earlier-visit', contextOf(accountId, sessionId), content)
      return visits.write(accountId, sessionId, { sessionId, sealed }, expiresInSeconds)
    },
    erase: (accountId, sessionId) => visits.write(accountId, sessionId, undefined),
  }
}

interface PackedVisit extends Pick<EarlierVisit, 'at' | 'person'>, Pick<Visit, 'scene'> {
  readonly face: (Omit<BoundFace, 'embedding'> & { readonly embedding: string }) | null
}

function packed({ at, person, visit: { scene, face } }: EarlierVisit): PackedVisit {
  return { at, person, scene, face: face && { ...face, embedding: textOf(face.embedding) } }
}

function unpacked(sessionId: string, { at, person, scene, face }: PackedVisit): EarlierVisit {
  const whole = face && { ...face, embedding: Array.from(numbersOf(face.embedding)) }
  return { sessionId, at, person, visit: { scene, face: whole } }
}

/** Encodes 32-bit numbers as text. */
function textOf(numbers: readonly number[]): string {
  return Buffer.from(Float32Array.from(numbers).buffer).toString('base64')
}

function numbersOf(text: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
}
