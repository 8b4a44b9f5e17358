import type { Attempts } from '#server/features/sessions/access/attempts.ts'
import type { Suspicions } from '#server/features/sessions/access/suspicions.ts'
import type { Intakes } from '#server/features/sessions/early-pictures/intake.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { readEvidenceState } from '#server/features/sessions/evidence/evidence-state.ts'
import { reportedAttestation } from '#server/features/sessions/passkeys/reported-passkeys.ts'
import type { FilmMemory } from '#server/features/sessions/pictures/film-memory.ts'
import type { PictureMemory } from '#server/features/sessions/pictures/picture-memory.ts'
import type { EvidenceRecords } from '#server/features/sessions/records/evidence-records.ts'
import { knownOutcome, verdictOf } from '#server/features/sessions/records/milestones.ts'
import type { Passkey, PasskeyStore } from '#server/features/sessions/records/passkey-store.ts'
import type { PersonSessions } from '#server/features/sessions/records/person-sessions.ts'
import type { SessionFaces } from '#server/features/sessions/records/session-faces.ts'
import type { PastRow, SessionHistory } from '#server/features/sessions/records/session-history.ts'
import {
  retentionInMilliseconds,
  type SessionRecord,
  wholeResult,
} from '#server/features/sessions/records/session-record.ts'
import { visitorOf } from '#server/features/sessions/records/session-row.ts'
import type { SessionStore } from '#server/features/sessions/records/session-store.ts'
import type { VisitStore } from '#server/features/sessions/records/visit-store.ts'
import type { AddedFace, AddedFaces } from '#server/features/sessions/reviewing/denied-faces.ts'
import type { DeliveryStore } from '#server/features/webhooks/webhooks.ts'
import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { allOf } from '#server/platform/store/all-of.ts'
import type { Clock, Store } from '#server/platform/store/store.ts'
import type { exportPerson } from '#shared/contract/account/person.ts'
import type { KeptSignIns } from '#shared/contract/account/person-sign-ins.ts'
import { historyDays } from '#shared/contract/configuration/verification-config.ts'
import type { ResultOf } from '#shared/endpoint.ts'

type PersonExport = ResultOf<typeof exportPerson>
/** The part of an export that covers visits and the data they left. */
export type ExportedVisits = Omit<PersonExport, 'externalId' | 'exportedAt' | 'faces' | keyof KeptSignIns>

/** The data that a person's visits left behind, under one form of the external ID. */
export interface PersonVisits {
  sessionIds(accountId: string, externalId: string): Promise<string[]>
  read(accountId: string, externalId: string): Promise<ExportedVisits>
  /** Erases these sessions with their deliveries and pictures, and all of the person's passkeys. Returns the number of deliveries. */
  erase(accountId: string, externalId: string, sessionIds: readonly string[]): Promise<number>
  /** Erases the counts and, last of all, the list of sessions. Repeating this finds nothing. */
  forget(accountId: string, externalId: string, sessionIds: readonly string[]): Promise<void>
}

/** Everything that stores data about a person's visits. */
export interface PersonStores {
  readonly sessions: Pick<SessionStore, 'read' | 'erase'>
  readonly sessionHistory: Pick<SessionHistory, 'ofPerson' | 'forget'>
  readonly personSessions: Pick<PersonSessions, 'findSessionIds' | 'forget'>
  readonly passkeys: Pick<PasskeyStore, 'standing' | 'removeOffer' | 'forget'>
  readonly visits: Pick<VisitStore, 'erase'>
  readonly sessionFaces: Pick<SessionFaces, 'erase'>
  readonly pictureMemory: Pick<PictureMemory, 'forget'>
  readonly filmMemory: Pick<FilmMemory, 'forget'>
  readonly attempts: Pick<Attempts, 'ofPerson' | 'forget'>
  readonly suspicions: Pick<Suspicions, 'ofPerson' | 'forget'>
  readonly evidenceRecords: Pick<EvidenceRecords, 'read' | 'isLost'>
  readonly intakes: Pick<Intakes, 'erased'>
  readonly evidence: Pick<Evidence, 'remove'>
  readonly addedFaces: Pick<AddedFaces, 'ofPerson' | 'forget'>
}

export function createPersonVisits(
  store: Pick<Store, 'commit'>,
  stores: PersonStores,
  deliveries: Pick<DeliveryStore, 'ofSession' | 'remove'>,
  now: Clock,
): PersonVisits {
  const { sessions, sessionHistory, personSessions, passkeys, visits, attempts, suspicions } = stores
  async function eraseSession(accountId: string, sessionId: string): Promise<number> {
    const sent = await deliveries.ofSession(accountId, sessionId)
    const writes = sent.flatMap((delivery) => deliveries.remove(delivery))
    const offer = passkeys.removeOffer(accountId, sessionId)
    const faces = [visits, stores.sessionFaces].map((one) => one.erase(accountId, sessionId))
    writes.push(...(await stores.intakes.erased({ accountId, sessionId })).writes)
    await store.commit([...sessions.erase(accountId, sessionId), offer, ...faces, ...writes], [])
    await stores.evidence.remove({ accountId, sessionId })
    return sent.length
  }

  return {
    async sessionIds(accountId, externalId) {
      const ids = new Set(await personSessions.findSessionIds(accountId, externalId))
      for await (const row of sessionHistory.ofPerson(accountId, externalId)) ids.add(row.sessionId)
      return [...ids]
    },
    async read(accountId, externalId) {
      const ids = await personSessions.findSessionIds(accountId, externalId)
      const found: PersonExport['sessions'] = []
      for (const id of ids) {
        found.push(...(await readExportedSession(stores, deliveries, accountId, id)))
        if (loopTurns.isOver()) await loopTurns.next()
      }
      const { bound, face } = await passkeys.standing({ accountId, externalId })
      const failed = await attempts.ofPerson(accountId, externalId)
      return {
        sessions: found,
        pastSessions: exportedPast(await allOf(sessionHistory.ofPerson(accountId, externalId)), now()),
        passkeys: bound.map(exportedPasskey),
        passkeyFace: face === undefined ? null : [...face.embedding],
        deniedFaces: (await stores.addedFaces.ofPerson(accountId, externalId)).map(exportedDenial),
        failedSessions: failed.sessions.map(timeOf),
        failedTries: failed.tries.map(timeOf),
        suspectedSessions: (await suspicions.ofPerson(accountId, externalId)).map(timeOf),
      }
    },
    async erase(accountId, externalId, sessionIds) {
      let deliveriesErased = 0
      for (const sessionId of sessionIds) deliveriesErased += await eraseSession(accountId, sessionId)
      await sessionHistory.forget(accountId, externalId)
      await stores.pictureMemory.forget(sessionIds)
      await stores.filmMemory.forget(sessionIds)
      await passkeys.forget({ accountId, externalId })
      return deliveriesErased
    },
    async forget(accountId, externalId, sessionIds) {
      await attempts.forget(accountId, externalId)
      await suspicions.forget(accountId, externalId)
      await stores.addedFaces.forget(accountId, externalId)
      await personSessions.forget(accountId, externalId, sessionIds)
    },
  }
}

async function readExportedSession(
  { sessions, evidenceRecords }: Pick<PersonStores, 'sessions' | 'evidenceRecords'>,
  deliveries: Pick<DeliveryStore, 'ofSession'>,
  accountId: string,
  sessionId: string,
) {
  const read = await sessions.read(accountId, sessionId)
  if (read === undefined) return []
  const sent = await deliveries.ofSession(accountId, sessionId)
  const shown = sent.map(({ deliveryId, created, state }) => ({ deliveryId, created, state }))
  const evidence = await readEvidenceState(read.value, evidenceRecords)
  return [{ ...exportedSession(read.value), evidence, deliveries: shown }]
}

function exportedPasskey({
  credentialId,
  boundAt,
  sessionId,
  face,
  attested,
}: Passkey): PersonExport['passkeys'][number] {
  return {
    credentialId,
    boundAt: timeOf(boundAt),
    verificationSessionId: sessionId,
    attestation: attested?.attestation === undefined ? null : reportedAttestation(attested.attestation),
    embedding: [...face.embedding],
  }
}

function exportedDenial({ collectionId, faceId, note, expiresAt }: AddedFace) {
  return { collectionId, faceId, note, expiresAt: timeOf(expiresAt) }
}

function exportedSession(
  record: SessionRecord,
): Omit<PersonExport['sessions'][number], 'deliveries' | 'evidence'> {
  const { inputs, outcome, consent, deviceReport, review, completedAt, passkey, secondOpinion } = record
  return {
    verificationSessionId: record.sessionId,
    verificationId: record.verificationId,
    state: record.state,
    outcome: verdictOf(record).outcome,
    source: record.source,
    ...record.visitor,
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
    secondOpinion: secondOpinion?.given ?? null,
  }
}

/** The data remaining from sessions without a result. */
function exportedPast(rows: readonly PastRow[], now: number): PersonExport['pastSessions'] {
  return rows.filter(({ created }) => created < now - retentionInMilliseconds).map(exportedRow)
}

function exportedRow(row: PastRow): PersonExport['pastSessions'][number] {
  const { created, completedAt } = row
  return {
    verificationSessionId: row.sessionId,
    verificationId: row.verificationId,
    state: row.state,
    outcome: knownOutcome(row),
    assignedTo: row.assignedTo ?? null,
    verificationResult: row.result,
    verificationFailedReasons: row.reasons === null ? null : [...row.reasons],
    source: row.source,
    correlationId: row.correlationId,
    assurance: row.assurance,
    ...visitorOf(row),
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
