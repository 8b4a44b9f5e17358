import type { Verdict } from '#models/rules/verdict.ts'
import type { Verifications } from '#server/configuration/verifications.ts'
import type { Answer, Gallery } from '#server/recognition/gallery.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import { emptyVerdict, notRecognised, type Recognition } from '#server/sessions/results/outcome.ts'
import type { Read } from '#server/store/tables.ts'
import type { Ending, EndSession } from './ending.ts'
import { faceRecognitionOf } from './rules.ts'

/** [Note: No portrait, no pass] Where a face was to be recognised and none was good enough, nothing is passed over. */
const noPortrait: Recognition = { ...notRecognised, result: 'Fail', reason: 'lowQuality' }

/** Ends sessions that were judged, or whose time is over. */
export interface Completion {
  /**
   * The completed record, or undefined where somebody else changed the session or the collection meanwhile, or deleted
   * the verification.
   */
  complete(
    before: Read<SessionRecord>,
    record: SessionRecord,
    verdict: Verdict,
    /** Given where no collection is to be asked. */
    recognition?: Recognition,
  ): Promise<SessionRecord | undefined>
  expire(before: Read<SessionRecord>): Promise<void>
}

export function createCompletion(
  endSession: EndSession,
  gallery: Gallery,
  verifications: Pick<Verifications, 'existence'>,
): Completion {
  /**
   * [Note: A session ends with its verification] Without this guard a face could bring the collection of a verification
   * back that is being deleted. Undefined where it is deleted already.
   */
  async function guardsOf({ verificationId }: SessionRecord) {
    if (verificationId === null) return []
    const guard = await verifications.existence(verificationId)
    return guard && [guard]
  }

  return {
    async complete(before, record, verdict, recognition) {
      const guards = await guardsOf(record)
      if (guards === undefined) return undefined
      const ending: Ending = { before, record, verdict, state: 'Completed' }
      const conditions = { writes: [], guards }
      if (recognition !== undefined) return endSession(ending, recognition, conditions)
      const type = faceRecognitionOf(record.settings.verifiers)
      const { portrait } = verdict
      if (type === 'Disabled' || verdict.reasons.length > 0)
        return endSession(ending, notRecognised, conditions)
      const { accountId, collectionId } = record
      if (portrait === null || collectionId === null) return endSession(ending, noPortrait, conditions)
      const { externalId, enroll } = record.inputs
      return gallery.ask({ accountId, collectionId, type, externalId, enroll, portrait }, (answer) =>
        endSession(ending, recognitionOf(answer), {
          writes: answer.writes,
          guards: [...answer.guards, ...guards],
        }),
      )
    },
    async expire(before) {
      const verdict = emptyVerdict('sessionExpired')
      await endSession({ before, record: before.value, verdict, state: 'Expired' }, notRecognised)
    },
  }
}

function recognitionOf({ reason, faceId, galleryTooLarge }: Answer): Recognition {
  return { result: reason === null ? 'Pass' : 'Fail', reason, faceId, galleryTooLarge }
}
