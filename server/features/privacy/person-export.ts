import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { Openid } from '#server/features/openid/openid.ts'
import type { CollectionAccess, NewerTemplates } from '#server/features/recognition/recognition.ts'
import type { PersonVisits } from '#server/features/sessions/sessions.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { exportPerson } from '#shared/contract/account/person.ts'
import type { Handler, ResultOf } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'

type PersonExport = ResultOf<typeof exportPerson>

export type ExportPerson = Handler<typeof exportPerson, AccountCaller>

/** The sources of a person's stored data. */
export interface ExportSources {
  readonly personVisits: Pick<PersonVisits, 'read' | 'sessionIds'>
  readonly signIns: Pick<Openid['signIns'], 'read'>
  readonly access: Pick<CollectionAccess, 'faceStore' | 'read'>
  readonly now: Clock
}

/** Exports all of a person's stored data, from each place that `deletePerson` deletes from. */
export function createExportPerson({ personVisits, signIns, access, now }: ExportSources): ExportPerson {
  async function readFaces(accountId: string, externalId: string): Promise<PersonExport['faces']> {
    const found = await allOf(access.faceStore.ofExternalId(accountId, externalId))
    const read = found.map(({ collectionId, faceId }) =>
      access.read(accountId, collectionId, async (collection) => {
        const face = collection.exists ? await collection.get(faceId) : undefined
        if (face === undefined) return []
        const named = { collectionId, faceId }
        const older = { ...named, ...numbersOf(face.embeddingModel, face) }
        const { newerModel, newer } = face
        return newerModel === undefined || newer === undefined
          ? [older]
          : [older, { ...named, ...numbersOf(newerModel, newer) }]
      }),
    )
    return (await Promise.all(read)).flat()
  }

  /** The data stored under one form of the ID. */
  async function keptUnder(accountId: string, externalId: string): Promise<PersonData> {
    const visits = await personVisits.read(accountId, externalId)
    const sessionIds = await personVisits.sessionIds(accountId, externalId)
    const ofSites = await signIns.read(accountId, externalId, sessionIds)
    return { ...visits, ...ofSites, faces: await readFaces(accountId, externalId) }
  }

  return async ({ query: { externalId }, caller: { accountId } }) => {
    const kept = await Promise.all(identityForms(externalId).map((form) => keptUnder(accountId, form)))
    return { externalId, exportedAt: new Date(now()).toISOString(), ...together(kept) }
  }
}

type PersonData = Omit<PersonExport, 'externalId' | 'exportedAt'>

/** Combines the data stored under all forms of an ID, as for one person. The newest session comes first. */
function together(kept: readonly PersonData[]): PersonData {
  return {
    sessions: newestFirst(kept.flatMap((one) => one.sessions)),
    pastSessions: newestFirst(kept.flatMap((one) => one.pastSessions)),
    faces: kept.flatMap((one) => one.faces),
    passkeys: kept.flatMap((one) => one.passkeys),
    passkeyFace: kept.find((one) => one.passkeyFace !== null)?.passkeyFace ?? null,
    subjects: kept.flatMap((one) => one.subjects),
    signIns: kept.flatMap((one) => one.signIns),
    failedSessions: kept.flatMap((one) => one.failedSessions),
    deniedFaces: kept.flatMap((one) => one.deniedFaces),
    failedTries: kept.flatMap((one) => one.failedTries),
    suspectedSessions: kept.flatMap((one) => one.suspectedSessions),
  }
}

function newestFirst<T extends { readonly createdAt: string }>(sessions: readonly T[]): T[] {
  return [...sessions].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}

/** A face's embeddings by one model. */
function numbersOf(embeddingModel: string, { embedding, second }: NewerTemplates) {
  const seconds = second === undefined ? {} : { secondEmbedding: [...second.embedding] }
  return { embeddingModel, embedding: [...embedding], ...seconds }
}
