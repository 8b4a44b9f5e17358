import type { Verdict } from '#models/rules/verdict.ts'
import type { Answer, Gallery } from '#server/features/recognition/gallery.ts'
import type { SessionRecord } from '#server/features/sessions/record.ts'
import { emptyVerdict } from '#server/features/sessions/results/outcome.ts'
import { notRecognised, type Recognition } from '#server/features/sessions/results/recognition.ts'
import type { Verifications } from '#server/features/verifications/verifications.ts'
import type { Read } from '#server/platform/store/tables.ts'
import type { EndSession } from './ending.ts'
import type { Conclude, Concluding } from './retrying.ts'
import { faceRecognitionOf } from './rules.ts'

/** [Note: No portrait, no pass] Where a face was to be recognised and none was good enough, nothing is passed over. */
const noPortrait: Recognition = { ...notRecognised, result: 'Fail', reason: 'lowQuality' }

/** What a submission says beside its pictures. */
export interface HowJudged {
  /** The page can offer another try. */
  readonly acceptsRetry?: boolean
  /** Nothing was looked at: the last verdict is taken for good. */
  readonly isLeft?: boolean
  /** Nothing was looked at: the person ended the session. */
  readonly isEnded?: boolean
  /** Given where no collection is to be asked: the session ends as it says, and is not tried again. */
  readonly recognition?: Recognition
}

/** Ends sessions that were judged, unless they are tried again; and those whose time is over. */
export interface Completion {
  /**
   * The completed record, or undefined where somebody else changed the session or the collection meanwhile, or deleted
   * the verification.
   */
  complete(
    before: Read<SessionRecord>,
    record: SessionRecord,
    verdict: Verdict,
    how?: HowJudged,
  ): Promise<SessionRecord | undefined>
  expire(before: Read<SessionRecord>): Promise<void>
}

export function createCompletion(
  endSession: EndSession,
  conclude: Conclude,
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
    async complete(before, record, verdict, { isEnded = false, recognition, ...how } = {}) {
      const guards = await guardsOf(record)
      if (guards === undefined) return undefined
      const ending: Concluding = { before, record, verdict, state: 'Completed', ...how }
      const conditions = { writes: [], guards }
      if (recognition !== undefined) return endSession(ending, recognition, conditions)
      const type = faceRecognitionOf(record.settings.verifiers)
      const { portrait, formerPortrait } = verdict
      const reported = isEnded ? null : (record.before?.recognition ?? null)
      if (reported !== null) return conclude(ending, reported, conditions)
      if (type === 'Disabled' || verdict.reasons.length > 0)
        return conclude(ending, notRecognised, conditions)
      const { accountId, collectionId } = record
      if (portrait === null || collectionId === null) return conclude(ending, noPortrait, conditions)
      const { externalId, enroll } = record.inputs
      const question = { accountId, collectionId, type, externalId, enroll, portrait, formerPortrait }
      return gallery.ask(question, (answer) =>
        conclude(ending, recognitionOf(answer), {
          writes: answer.writes,
          guards: [...answer.guards, ...guards],
        }),
      )
    },
    expire: createExpire(endSession),
  }
}

/** Ends a session whose time is over, or that is taken for such. */
export function createExpire(endSession: EndSession): Completion['expire'] {
  return async (before) => {
    const verdict = emptyVerdict('sessionExpired')
    await endSession({ before, record: before.value, verdict, state: 'Expired' }, notRecognised)
  }
}

function recognitionOf({ reason, faceId, galleryTooLarge }: Answer): Recognition {
  return { result: reason === null ? 'Pass' : 'Fail', reason, faceId, galleryTooLarge }
}
