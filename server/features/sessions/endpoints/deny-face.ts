import { separated } from '#models/rules/templates.ts'
import type { AccountCaller } from '#server/features/callers/callers.ts'
import {
  type CollectionAccess,
  makeFace,
  refuseOtherModel,
} from '#server/features/recognition/recognition.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { SessionFaces } from '#server/features/sessions/records/session-faces.ts'
import type { AddedFaces } from '#server/features/sessions/reviewing/denied-faces.ts'
import { denyCollectionsOf } from '#server/features/sessions/reviewing/deny-collections.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { denyFace } from '#shared/contract/sessions/session-faces.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

const dayInMilliseconds = 24 * 3600 * 1000

interface Dependencies {
  readonly readSession: ReadSession
  readonly verifications: Pick<Verifications, 'find'>
  readonly sessionFaces: Pick<SessionFaces, 'read'>
  readonly addedFaces: Pick<AddedFaces, 'write'>
  readonly access: Pick<CollectionAccess, 'change'>
  readonly now: Clock
}

/**
 * Adds a session's face to a collection of faces that must not pass. [Note: Not after an erasure] The commit holds the
 * session, so that the face of a person who is erased in the meantime is not added.
 */
export function createDenyFace(services: Dependencies): Handler<typeof denyFace, AccountCaller> {
  const { readSession, sessionFaces, addedFaces, access, now } = services
  return async ({ body, caller: { accountId } }) => {
    const { verificationSessionId: sessionId, collectionId, note = null, expiresInDays } = body
    const { value: record } = await readSession({ accountId, sessionId })
    if (!(await denyCollectionsOf(services.verifications, record)).includes(collectionId))
      throw Problem.at('#/collectionId', 'Must be one of the denyCollectionIds of the verification.')
    const kept = await sessionFaces.read(accountId, sessionId)
    if (kept === undefined) throw new Problem('not_found', 'No face of this session is kept.')
    const { externalId } = record.inputs
    const expiresAt = now() + expiresInDays * dayInMilliseconds
    const templates = separated(kept.face.embedding, kept.face)
    const faceId = await access.change(accountId, collectionId, async (collection, writer) => {
      if (!collection.exists) throw new Problem('not_found', 'The collection does not exist.')
      refuseOtherModel(collection, '#/collectionId')
      if (collection.models.formerModel !== undefined)
        throw Problem.at('#/collectionId', 'Must not keep faces of former networks: settle it first.')
      const { guard } = await readSession({ accountId, sessionId })
      const added = writer.add(makeFace(externalId, templates, collection.models))
      const noted = addedFaces.write({
        accountId,
        collectionId,
        faceId: added.faceId,
        externalId,
        note,
        expiresAt,
      })
      const change = { ...added, writes: [...added.writes, noted], guards: [...added.guards, guard] }
      return { answer: added.faceId, change }
    })
    return { faceId, expiresAt: new Date(expiresAt).toISOString() }
  }
}
