import { emptyVerdict } from '#models/rules/empty-verdict.ts'
import type { Observation } from '#models/rules/observation.ts'
import { withStanding } from '#models/rules/second-try.ts'
import { type Verdict, verdict } from '#models/rules/verdict.ts'
import type { Judgement } from '#server/features/sessions/access/judgement.ts'
import { rulesOf } from '#server/features/sessions/access/session-rules.ts'
import type { FinalSubmission } from '#server/features/sessions/pictures/submission.ts'
import type { SessionRecord } from '#server/features/sessions/records/session-record.ts'
import { hintsOf } from '#server/features/sessions/results/hints.ts'
import { judgeTest } from '#server/features/sessions/testing/test-verdict.ts'

/**
 * Judges a submission by its kind. Pure. `seen` are the observations in its pictures, and the record contains the whole
 * film.
 */
export function judgeSubmission(
  submission: FinalSubmission,
  record: SessionRecord,
  seen: readonly Observation[],
): Judgement {
  switch (submission.kind) {
    case 'try': {
      const judged = withStanding(judgeTry(record, seen), record.before?.standing)
      const { acceptsRetry } = submission
      return { record: { ...record, tries: record.tries + 1 }, verdict: judged, acceptsRetry }
    }
    case 'capture':
      return submission.judge(record, seen)
    case 'test':
      return judgeTest(record, submission)
    case 'end':
      return { record, verdict: emptyVerdict(submission.reason) }
    case 'leave':
      return { record, verdict: record.before!.verdict }
    case 'expiry':
      return { record, verdict: emptyVerdict('sessionExpired') }
  }
}

/** The only part of the device's report that the rules see is the hint at injection, which can only lower the assurance. */
function judgeTry(record: SessionRecord, late: readonly Observation[]): Verdict {
  const { settings, progress, observations, trail = [], passkey, reference, before } = record
  return verdict({
    rules: rulesOf(settings),
    steps: progress.answered,
    observations: [...observations, ...late],
    openedAt: before?.begun ?? record.created,
    trail,
    ...(passkey?.verified?.isAttested && { boundFace: passkey.verified }),
    ...(reference && { reference }),
    earlier: before?.pictures ?? [],
    isInjectionHinted: hintsOf(record).length > 0,
  })
}
