import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { KeyRing } from '#server/platform/crypto/key-ring.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { createTable } from '#server/platform/store/tables.ts'

/** The face of a session. */
export interface SessionFace {
  readonly sessionId: string
  /** When the session was created, in milliseconds since 1970. */
  readonly created: number
  readonly face: BoundFace
}

/**
 * The faces of the sessions of the last 7 days, by which a reviewer finds a person's other sessions. [Note: Session faces are
 * sealed] They are stored like sessions, separately for each account, and erased along with the session and the person.
 */
export interface SessionFaces {
  read(accountId: string, sessionId: string): Promise<SessionFace | undefined>
  /** All of an account's faces, in no particular order. */
  list(accountId: string): AsyncIterable<SessionFace>
  write(accountId: string, face: SessionFace, expiresInSeconds: number): Write
  erase(accountId: string, sessionId: string): Write
}

/** The ID stays readable because it is needed to open the rest. */
interface Sealed {
  readonly sessionId: string
  readonly sealed: string
}

type Packed = Pick<SessionFace, 'created'> & {
  readonly face: Omit<BoundFace, 'embedding'> & { readonly embedding: string }
}

export function createSessionFaces(store: Store, keyRing: KeyRing): SessionFaces {
  const faces = createTable<Sealed>(store, 'session-face')
  const contextOf = (accountId: string, sessionId: string) => `${accountId}/${sessionId}`

  function opened(accountId: string, { sessionId, sealed }: Sealed): SessionFace {
    const content = keyRing.open('session-face', contextOf(accountId, sessionId), sealed)
    const { created, face } = JSON.parse(content.toString()) as Packed
    const numbers = new Float32Array(Uint8Array.from(Buffer.from(face.embedding, 'base64')).buffer)
    return { sessionId, created, face: { ...face, embedding: Array.from(numbers) } }
  }

  return {
    async read(accountId, sessionId) {
      const found = await faces.get(accountId, sessionId)
      return found && opened(accountId, found)
    },
    async *list(accountId) {
      for await (const one of faces.listReadable(accountId)) yield opened(accountId, one)
    },
    write(accountId, { sessionId, created, face }, expiresInSeconds) {
      const embedding = Buffer.from(Float32Array.from(face.embedding).buffer).toString('base64')
      const packed: Packed = { created, face: { ...face, embedding } }
      const content = Buffer.from(JSON.stringify(packed))
      const sealed = keyRing.seal('session-face', contextOf(accountId, sessionId), content)
      return faces.write(accountId, sessionId, { sessionId, sealed }, expiresInSeconds)
    },
    erase: (accountId, sessionId) => faces.write(accountId, sessionId, undefined),
  }
}
