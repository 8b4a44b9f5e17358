import type { AccountCaller } from '#server/features/callers/callers.ts'
import { busy, type ReadSession } from '#server/features/sessions/access/session-reader.ts'
import type { Evidence } from '#server/features/sessions/evidence/evidence.ts'
import type { EvidenceRecords, Shown, Whose } from '#server/features/sessions/records/evidence-records.ts'
import type { Store } from '#server/platform/store/store.ts'
import { transact } from '#server/platform/store/transaction.ts'
import type { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import type { Handler } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

interface Dependencies {
  readonly store: Pick<Store, 'commit'>
  readonly readSession: ReadSession
  readonly evidence: Pick<Evidence, 'read'>
  readonly records: EvidenceRecords
}

/** Returns a session's stored pictures. Records the viewer before responding, because a review states what was viewed. */
export function createGetEvidence({
  store,
  readSession,
  evidence,
  records,
}: Dependencies): Handler<typeof getEvidence, AccountCaller> {
  async function noteLook(whose: Whose, keyId: string, shown: Shown): Promise<number> {
    return transact(
      store,
      async (transaction) => {
        const read = await records.read(whose)
        if (read === undefined) throw notKept()
        transaction.hold(read.guard)
        const seenBy = { ...read.value.seenBy, [keyId]: shown }
        transaction.write(records.write(whose, { ...read.value, seenBy }))
        return read.value.until
      },
      busy,
    )
  }

  return async ({ query: { verificationSessionId: sessionId }, caller: { accountId, keyId } }) => {
    const whose = { accountId, sessionId }
    const { value } = await readSession(whose)
    const isKept = value.outcome !== null && (await records.read(whose))?.value.isKept === true
    const found = isKept ? await evidence.read(whose) : undefined
    if (found === undefined || found.pictures.length + found.film.length === 0) throw notKept()
    const { pictures, film } = found
    const until = await noteLook(whose, keyId, { pictures: pictures.length, film: film.length })
    return {
      pictures: pictures.map(({ name, try: tried, bytes }) => ({ name, try: tried, bytes: base64(bytes) })),
      film: film.map(({ bytes, time }) => ({ bytes: base64(bytes), time: time - film[0]!.time })),
      expiresAt: new Date(until).toISOString(),
    }
  }
}

function notKept(): Problem {
  return new Problem('evidence_not_kept', 'No pictures of this session are kept.')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
}
