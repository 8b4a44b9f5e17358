import { environmentOf } from '#server/features/callers/callers.ts'
import { noPictures, type TestSubmission } from '#server/features/sessions/pictures/submission.ts'
import type { SessionRecord, TestSession } from '#server/features/sessions/records/session-record.ts'
import type { TestOutcome, TestOutcomes } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'

/** The outcome requested when a test account's session was created; null if none was. */
export function testSessionOf(requested: TestOutcomes | null): TestSession {
  if (requested?.tries === undefined) return { outcome: requested as TestOutcome | null }
  const [outcome, ...further] = requested.tries
  return { outcome: outcome!, further }
}

/**
 * A test's submission. It ends as any session without consent does, or with the requested outcome; it passes if none was
 * requested.
 */
export function testSubmission(
  record: SessionRecord,
  sent: Pick<TestSubmission, 'hasPictures' | 'acceptsRetry'>,
): TestSubmission {
  const { test, consent } = record
  const requested: TestOutcome = test?.outcome ?? { result: 'passed' }
  const outcome: TestOutcome = consent?.given === false ? { result: 'consentDeclined' } : requested
  return { kind: 'test', record, outcome, ...sent, ...noPictures }
}

/** @throws {Problem} 400 if the caller requests an outcome for a live session */
export function refuseLive(account: Parameters<typeof environmentOf>[0], pointer: string): void {
  if (environmentOf(account) === 'live') throw Problem.at(pointer, 'Is accepted only with a test key.')
}
