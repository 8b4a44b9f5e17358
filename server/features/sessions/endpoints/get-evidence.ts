import type { AccountCaller } from '#server/features/callers/callers.ts'
import type { ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import { type NoteViewing, notKept } from '#server/features/sessions/evidence/evidence-viewing.ts'
import type { EvidenceRecords } from '#server/features/sessions/records/evidence-records.ts'
import type { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import type { Handler } from '#shared/endpoint.ts'

interface Dependencies {
  readonly readSession: ReadSession
  readonly evidence: Pick<Evidence, 'read'>
  readonly records: Pick<EvidenceRecords, 'read'>
  readonly noteViewing: NoteViewing
}

/** Returns a session's stored pictures. Records the viewer before responding, because a review states what was viewed. */
export function createGetEvidence(services: Dependencies): Handler<typeof getEvidence, AccountCaller> {
  const { readSession, evidence, records, noteViewing } = services
  return async ({ query: { verificationSessionId: sessionId }, caller: { accountId, keyId } }) => {
    const whose = { accountId, sessionId }
    const { value } = await readSession(whose)
    const isKept = value.outcome !== null && (await records.read(whose))?.value.isKept === true
    const found = isKept ? await evidence.read(whose) : undefined
    if (found === undefined || found.pictures.length + found.film.length === 0) throw notKept()
    const { pictures, film } = found
    const until = await noteViewing(whose, keyId, { pictures: pictures.length, film: film.length })
    return {
      pictures: pictures.map(({ name, try: tried, bytes }) => ({ name, try: tried, bytes: base64(bytes) })),
      film: film.map(({ bytes, time }) => ({ bytes: base64(bytes), time: time - film[0]!.time })),
      expiresAt: new Date(until).toISOString(),
    }
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
