import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { CollectionAccess, NewerTemplates } from '#server/features/recognition/recognition.ts'
import type { PastRow, SessionHistory } from '#server/features/sessions/listing/history/session-history.ts'
import type { PersonSessions } from '#server/features/sessions/listing/person-sessions.ts'
import type { Attempts } from '#server/features/sessions/opening/attempts.ts'
import type { Suspicions } from '#server/features/sessions/opening/suspicions.ts'
import type { Passkey, PasskeyStore } from '#server/features/sessions/passkeys/passkey-store.ts'
import { reportedAttestation } from '#server/features/sessions/passkeys/reported-passkeys.ts'
import { retentionInMilliseconds, type SessionRecord, wholeResult } from '#server/features/sessions/record.ts'
import type { SessionStore } from '#server/features/sessions/session-store.ts'
import type { DeliveryStore } from '#server/features/webhooks/webhooks.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock } from '#server/platform/store/store.ts'
import type { exportPerson } from '#shared/contract/account/person.ts'
import { historyDays } from '#shared/contract/configuration/verification-config.ts'
import type { Handler, ResultOf } from '#shared/endpoint.ts'
import { identityForms } from '#shared/identity/identity-text.ts'

type Exported = ResultOf<typeof exportPerson>

export type ExportPerson = Handler<typeof exportPerson, AccountCaller>

/** Where all that is kept of a person is read. */
export interface Exporting {
  readonly personSessions: Pick<PersonSessions, 'sessionsOf'>
  readonly sessionStore: Pick<SessionStore, 'read'>
  readonly sessionHistory: Pick<SessionHistory, 'ofPerson'>
  readonly deliveryStore: Pick<DeliveryStore, 'ofSession'>
  readonly attempts: Pick<Attempts, 'ofPerson'>
  readonly suspicions: Pick<Suspicions, 'ofPerson'>
  readonly passkeys: Pick<PasskeyStore, 'standing'>
  readonly access: Pick<CollectionAccess, 'faceStore' | 'use'>
  readonly now: Clock
}

/** Everything that is kept of a person, from each place that `deletePerson` deletes from. */
export function createExportPerson(services: Exporting): ExportPerson {
  const { personSessions: index, sessionStore: sessions, deliveryStore: deliveries } = services
  const { attempts, suspicions, passkeys, access, now } = services

  async function sessionOf(accountId: string, sessionId: string) {
    const read = await sessions.read(accountId, sessionId)
    if (read === undefined) return []
    const sent = await deliveries.ofSession(accountId, sessionId)
    return [
      {
        ...exportedSession(read.value),
        deliveries: sent.map(({ deliveryId, created, state }) => ({ deliveryId, created, state })),
      },
    ]
  }

  async function facesOf(accountId: string, externalId: string): Promise<Exported['faces']> {
    const found = await allOf(access.faceStore.ofExternalId(accountId, externalId))
    const read = found.map(({ collectionId, faceId }) =>
      access.use(accountId, collectionId, async (collection) => {
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

  /** What is kept under one form of the id. */
  async function keptUnder(accountId: string, externalId: string): Promise<Kept> {
    const ids = await index.sessionsOf(accountId, externalId)
    const found = (await Promise.all(ids.map((id) => sessionOf(accountId, id)))).flat()
    const rows = await allOf(services.sessionHistory.ofPerson(accountId, externalId))
    const resultsFrom = now() - retentionInMilliseconds
    const { bound, face } = await passkeys.standing({ accountId, externalId })
    const failed = await attempts.ofPerson(accountId, externalId)
    return {
      sessions: found,
      pastSessions: rows.filter(({ created }) => created < resultsFrom).map(exportedPast),
      faces: await facesOf(accountId, externalId),
      passkeys: bound.map(asExported),
      passkeyFace: face === undefined ? null : [...face.embedding],
      failedSessions: failed.sessions.map(timeOf),
      failedTries: failed.tries.map(timeOf),
      suspectedSessions: (await suspicions.ofPerson(accountId, externalId)).map(timeOf),
    }
  }

  return async ({ query: { externalId }, caller: { accountId } }) => {
    const kept = await Promise.all(identityForms(externalId).map((form) => keptUnder(accountId, form)))
    return { externalId, exportedAt: timeOf(now()), ...together(kept) }
  }
}

function asExported({
  credentialId,
  boundAt,
  sessionId,
  face,
  attested,
}: Passkey): Exported['passkeys'][number] {
  return {
    credentialId,
    boundAt: timeOf(boundAt),
    verificationSessionId: sessionId,
    attestation: attested?.attestation === undefined ? null : reportedAttestation(attested.attestation),
    embedding: [...face.embedding],
  }
}

type Kept = Omit<Exported, 'externalId' | 'exportedAt'>

/** What is kept under each form of an id, as of one person; the newest session first. */
function together(kept: readonly Kept[]): Kept {
  return {
    sessions: kept.flatMap((one) => one.sessions).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    pastSessions: kept
      .flatMap((one) => one.pastSessions)
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1)),
    faces: kept.flatMap((one) => one.faces),
    passkeys: kept.flatMap((one) => one.passkeys),
    passkeyFace: kept.find((one) => one.passkeyFace !== null)?.passkeyFace ?? null,
    failedSessions: kept.flatMap((one) => one.failedSessions),
    failedTries: kept.flatMap((one) => one.failedTries),
    suspectedSessions: kept.flatMap((one) => one.suspectedSessions),
  }
}

function exportedSession(record: SessionRecord): Omit<Exported['sessions'][number], 'deliveries'> {
  const { inputs, outcome, consent, deviceReport, review, completedAt, passkey } = record
  return {
    verificationSessionId: record.sessionId,
    verificationId: record.verificationId,
    state: record.state,
    source: record.source,
    createdAt: timeOf(record.created),
    listedForDays: record.settings.history?.days ?? historyDays.least,
    completedAt: completedAt === null ? null : timeOf(completedAt),
    correlationId: inputs.correlationId,
    locale: inputs.locale,
    customInputParameters: inputs.custom.map(([name, value]) => ({ name, value })),
    consent: consent === null ? null : { ...consent },
    deviceReport: deviceReport === null ? null : { ...deviceReport },
    result: outcome === null ? null : { ...wholeResult(outcome.result), passkeys: passkey?.told ?? [] },
    review,
  }
}

function exportedPast(row: PastRow): Exported['pastSessions'][number] {
  const { created, completedAt } = row
  return {
    verificationSessionId: row.sessionId,
    verificationId: row.verificationId,
    state: row.state,
    verificationResult: row.result,
    verificationFailedReasons: row.reasons === null ? null : [...row.reasons],
    source: row.source,
    correlationId: row.correlationId,
    assurance: row.assurance,
    tries: row.tries,
    findings: row.findings,
    createdAt: timeOf(created),
    completedAt: completedAt === null ? null : timeOf(completedAt),
    listedForDays: row.days,
    review: row.review,
  }
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** What one model made of a face. */
function numbersOf(embeddingModel: string, { embedding, second }: NewerTemplates) {
  const seconds = second === undefined ? {} : { secondEmbedding: [...second.embedding] }
  return { embeddingModel, embedding: [...embedding], ...seconds }
}
