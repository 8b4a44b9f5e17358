import type { Verdict } from '#models/rules/verdict.ts'
import type { AttemptLimit } from '#server/accounts/account.ts'
import type { Accounts } from '#server/accounts/accounts.ts'
import type { Signatures } from '#server/configuration/signatures.ts'
import type { Verifications } from '#server/configuration/verifications.ts'
import type { Tally } from '#server/operations/tally.ts'
import type { Answer, Gallery } from '#server/recognition/gallery.ts'
import type { Attempts } from '#server/sessions/opening/attempts.ts'
import type { SessionRecord } from '#server/sessions/record.ts'
import {
  closed,
  emptyVerdict,
  notRecognised,
  outcomeOf,
  type Recognition,
  resultOf,
} from '#server/sessions/results/outcome.ts'
import type { SessionStore } from '#server/sessions/session-store.ts'
import type { Read } from '#server/store/tables.ts'
import type { Deliveries } from '#server/webhook/deliveries.ts'
import { Problem } from '#shared/problem.ts'
import { faceRecognitionOf } from './rules.ts'

/** Failures that say nothing about the person in front of the camera do not count as attempts. */
const innocentReasons = new Set(['consentDeclined', 'cameraUnavailable'])

/** [Note: No portrait, no pass] Where a face was to be recognised and none was good enough, nothing is passed over. */
const noPortrait: Recognition = { ...notRecognised, result: 'Fail', reason: 'lowQuality' }

/** Ends sessions. Result, webhook delivery and enrolled face stand in one commit, or none of them does. */
export interface Completion {
  /**
   * The completed record, or undefined where somebody else changed the session or the collection meanwhile, or deleted
   * the verification.
   */
  complete(
    before: Read<SessionRecord>,
    record: SessionRecord,
    verdict: Verdict,
  ): Promise<SessionRecord | undefined>
  expire(before: Read<SessionRecord>): Promise<void>
}

interface Dependencies {
  accounts: Accounts
  attempts: Attempts
  deliveries: Deliveries
  gallery: Gallery
  sessions: SessionStore
  signatures: Signatures
  tally: Tally
  verifications: Pick<Verifications, 'existence'>
}

interface Ending {
  before: Read<SessionRecord>
  record: SessionRecord
  verdict: Verdict
  state: 'Completed' | 'Expired'
}

export function createCompletion(services: Dependencies): Completion {
  const { accounts, attempts, deliveries, gallery, sessions, signatures, tally, verifications } = services

  async function close(
    ending: Ending,
    recognition: Recognition,
    answer?: Pick<Answer, 'writes' | 'guards'>,
  ): Promise<SessionRecord | undefined> {
    const { before, record, verdict, state } = ending
    const account = await accounts.find(record.accountId)
    if (account === undefined) throw new Problem('forbidden', 'The account does not exist.')
    const result = resultOf(record, verdict, recognition)
    const outcome = outcomeOf(record, result, verdict.evidence, (query) =>
      signatures.signResult(account, query),
    )
    const done = closed(record, outcome, state)
    const event = prepareEvent(done)
    const writes = [...(event?.writes ?? []), ...(answer?.writes ?? [])]
    if (!(await sessions.complete(before, done, writes, answer?.guards ?? []))) return undefined
    if (event !== undefined) deliveries.send(event.delivery)
    tally.sessionEnded({
      result: result.verificationResult,
      findings: verdict.evidence.findings,
      steps: verdict.evidence.steps,
      alternative: result.alternativeAction !== undefined,
    })
    await noteFailure(done, account.attemptLimit)
    return done
  }

  /**
   * [Note: A session ends with its verification] Without this guard a face could bring the collection of a verification
   * back that is being deleted. Undefined where it is deleted already.
   */
  async function conditionsOf({ verificationId }: SessionRecord) {
    if (verificationId === null) return { writes: [], guards: [] }
    const guard = await verifications.existence(verificationId)
    return guard && { writes: [], guards: [guard] }
  }

  function prepareEvent({ accountId, sessionId, created, settings }: SessionRecord) {
    const address = settings.callbackUrl
    const event = { accountId, verificationSessionId: sessionId, sessionCreated: created }
    return address === null ? undefined : deliveries.prepare({ ...event, address })
  }

  async function noteFailure({ outcome, attemptKeys }: SessionRecord, limit: AttemptLimit): Promise<void> {
    const reasons = outcome?.result.verificationFailedReasons ?? []
    if (reasons.some((reason) => !innocentReasons.has(reason))) await attempts.noteFailure(attemptKeys, limit)
  }

  return {
    async complete(before, record, verdict) {
      const conditions = await conditionsOf(record)
      if (conditions === undefined) return undefined
      const ending: Ending = { before, record, verdict, state: 'Completed' }
      const type = faceRecognitionOf(record.settings.verifiers)
      const { portrait } = verdict
      if (type === 'Disabled' || verdict.reasons.length > 0) return close(ending, notRecognised, conditions)
      const { accountId, collectionId } = record
      if (portrait === null || collectionId === null) return close(ending, noPortrait, conditions)
      const { externalId, enroll } = record.inputs
      return gallery.ask({ accountId, collectionId, type, externalId, enroll, portrait }, (answer) =>
        close(ending, recognitionOf(answer), {
          writes: answer.writes,
          guards: [...answer.guards, ...conditions.guards],
        }),
      )
    },
    async expire(before) {
      const verdict = emptyVerdict('sessionExpired')
      await close({ before, record: before.value, verdict, state: 'Expired' }, notRecognised)
    },
  }
}

function recognitionOf({ reason, faceId, galleryTooLarge }: Answer): Recognition {
  return { result: reason === null ? 'Pass' : 'Fail', reason, faceId, galleryTooLarge }
}
