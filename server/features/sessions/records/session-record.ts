import type { ChallengeProgress } from '#models/rules/challenge/progress.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Resemblance } from '#models/rules/liveness/earlier/resemblance.ts'
import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { firstPolicyVersion } from '#models/rules/liveness/policy.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { EarlierResults } from '#models/rules/second-try.ts'
import type { LivenessEvidence, Verdict } from '#models/rules/verdict.ts'
import type { Look } from '#server/features/callers/callers.ts'
import type { SessionInputs, SessionSettings } from '#server/features/links/links.ts'
import type { KioskAnswer } from '#shared/contract/sessions/kiosk-answer.ts'
import type { Logo } from '#shared/contract/sessions/logo.ts'
import type { InjectionHint, sessionStates, TestOutcome } from '#shared/contract/sessions/session.ts'
import type { Visitor } from '#shared/contract/sessions/session-device.ts'
import type { milestones } from '#shared/contract/sessions/session-ending.ts'
import type { SessionSource } from '#shared/contract/sessions/session-list.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { Review, SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { DeniedFace } from './denial.ts'
import type { Recognition } from './recognition.ts'

/** A stage in a visit. Each one is counted once. */
export type Milestone = (typeof milestones)[number]

export type SessionState = (typeof sessionStates)[number]

/** Data from earlier tries, in a session that allows more than one. */
export interface TriesBefore {
  readonly standing: EarlierResults
  /** The last verdict, without its face. It becomes final if the person abandons the session. */
  readonly verdict: Verdict
  /** A failed recognition, which is not repeated; null if none failed. */
  readonly recognition: Recognition | null
  /** The face that must not pass and that the person matched in a try; absent if there is none. */
  readonly denied?: DeniedFace
  /** When the current try began, in milliseconds since 1970. */
  readonly begun: number
  /** The distinct digests of the tries' pictures, which recognise repeated pictures; absent from older records. */
  readonly pictures?: readonly string[]
  /** The hints from the device reports, combined; absent from older records. */
  readonly injectionHints?: readonly InjectionHint[]
}

/** A try that was followed by another, with the actions it requested, for the session's review. */
export interface EarlierTry {
  readonly steps: readonly Pick<
    StepRecord,
    'step' | 'action' | 'revealedAt' | 'answeredAt' | 'accepted' | 'reason'
  >[]
  /** When the next try began, in milliseconds since 1970. */
  readonly followedAt: number
}

/** A result as decided, without the members that are added when it is read. */
export type DecidedResult = Omit<SessionResult, 'environment' | 'passkeys' | 'tries' | 'review'>

/** A result as stored. Results from before assurance levels existed have none. */
export type StoredResult = Omit<DecidedResult, LaterMember> & Partial<Pick<DecidedResult, LaterMember>>
type LaterMember =
  | 'resultId'
  | 'assurance'
  | 'policyVersion'
  | 'wouldFail'
  | 'findings'
  | 'injectionHints'
  | 'referenceResult'
  | 'referenceSimilarity'

/** Adds members that an older result lacks. Without evidence, its assurance is none. */
export function wholeResult(stored: StoredResult): DecidedResult {
  const assurance = stored.livenessVerificationResult === 'NotExecuted' ? 'none' : 'low'
  return {
    resultId: stored.verificationSessionId,
    assurance,
    policyVersion: firstPolicyVersion,
    wouldFail: [],
    findings: [],
    injectionHints: [],
    referenceResult: 'NotExecuted',
    referenceSimilarity: null,
    ...stored,
  }
}

export interface SessionOutcome {
  readonly result: StoredResult
  readonly redirectUrl: string | null
  /** Stored with the result, but not part of it. */
  readonly evidence: LivenessEvidence
  /** The face that must not pass and that the person matches; absent if there is none. */
  readonly denied?: DeniedFace
}

/** A session's handoffs to other devices. */
export interface Handoff {
  /** The device that may submit. */
  readonly holder: number
  /** The device, or the page, that last opened the link; absent if it is 0, the first one. */
  readonly opener?: number
  /** How many devices have taken over the session or opened it again. Each has a unique number. */
  readonly taken: number
  /** Devices that took over the session; absent if none did. */
  readonly followers?: readonly number[]
  /** How many codes have been created. */
  readonly codes: number
  /** The digest of the one valid code, while it is valid. The code itself is not stored. */
  readonly codeDigest: string | null
  /** Two digits that both devices display. */
  readonly number: string | null
}

/** The kiosk capture that became a session, and the kiosk's data about it. */
export interface KioskOrigin {
  readonly kioskId: string
  readonly captureId: string
  /** ISO 8601: the device's time, corrected for its known clock offset. */
  readonly capturedAt: string
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  readonly clockDriftInSeconds: number
  readonly answer: KioskAnswer
}

/** A passkey that was shown in a visit, and the face it is pinned to. */
export interface ShownPasskey extends BoundFace {
  /** Absent from older visits. */
  readonly credentialId?: string
  /** True if it came from a device other than the one in the visit. */
  readonly isFromElsewhere?: boolean
  /** True if a root trusted by the operator vouches for the passkey's device; required for `high`. */
  readonly isAttested?: boolean
}

/** The passkey state in a session. */
export interface SessionPasskey {
  /** True if the person bound one in an earlier visit. */
  readonly isBound: boolean
  /** The challenge that a device has to sign, and its purpose; null if none is pending. */
  readonly challenge: { readonly value: string; readonly for: PasskeyCeremony } | null
  /** The passkey verified in this visit; removed when the session ends. */
  readonly verified: ShownPasskey | null
  /** True if the person may bind one now. */
  readonly isOffered: boolean
  /** The shown and bound passkeys as reported to the integrator; absent if there are none. */
  readonly told?: SessionResult['passkeys']
}

/** A test session's requested outcome; null until it is chosen. */
export interface TestSession {
  readonly outcome: TestOutcome | null
  /** The further tries' outcomes; absent if the first try is final. */
  readonly further?: readonly TestOutcome[]
}

/** A session suspected of forgery before this suspected one. */
export interface EarlierSuspicion {
  readonly kind: 'forgerySuspected'
  readonly sessionId: string
}

/** The session's opener, and the bytes reserved for it. */
export interface Opener {
  /** A keyed digest of the address or its /64, so that the record does not identify a visitor. */
  readonly network: string
  readonly reservedBytes: number
}

/** A second reviewer's opinion, and the decision that it was compared with. */
export interface SecondOpinion {
  readonly given: Pick<Review, 'decision' | 'by'> & { readonly givenAt: string }
  readonly about: Pick<Review, 'decision' | 'by'>
}

/** A verification session as stored, without pictures. */
export interface SessionRecord {
  readonly sessionId: string
  readonly accountId: string
  readonly accountName: string
  /** `#rrggbb`, or null for the default colour. */
  readonly accentColour: string | null
  /** The visitor's support address and the pages' look; absent if the account sets neither. */
  readonly appearance?: { readonly supportUrl: string | null; readonly look: Partial<Look> | null }
  /** Absent from sessions that are older than logos. */
  readonly logo?: Logo | null
  /** Origins that may embed the session's page. */
  readonly embedOrigins: readonly string[]
  /** True for a sign-in: its page is never framed, and stays connected to the window that opened it. */
  readonly ownWindow?: true
  /** The result's ID: 128 random bits in hex. */
  readonly resultId: string
  /** Null for a session without a verification. */
  readonly verificationId: string | null
  /** The collection for searching and enrolling faces; null if there is none. */
  readonly collectionId: string | null
  readonly state: SessionState
  readonly source: SessionSource
  /** How far the visit got, as the server saw it. */
  readonly reached: readonly Milestone[]
  /** The milestones' times in milliseconds since 1970; absent from sessions that are older than these times. */
  readonly reachedAt?: Readonly<Partial<Record<Milestone, number>>>
  /** Device and browser, if the visitor's browser reports them; absent until then. */
  readonly visitor?: Visitor
  /** The number of judged tries. */
  readonly tries: number
  /** Absent before the first further try, and once the session is completed. */
  readonly before?: TriesBefore
  /** All tries except the last, in order; absent if there was only one, and from older sessions. */
  readonly earlierTries?: readonly EarlierTry[]
  /** A reviewer's decision; null if there is none. */
  readonly review: Review | null
  /** A second reviewer's opinion on the review; absent if none was given. */
  readonly secondOpinion?: SecondOpinion
  /** The assigned reviewer; absent if it is assigned to no one. */
  readonly assignedTo?: string
  /** The submission being judged and its time limit; null if there is none. */
  readonly judging: { readonly by: string; readonly until: number } | null
  /** Milliseconds since 1970. */
  readonly created: number
  readonly expiresAt: number
  /** When the session was completed or expired; null until then. */
  readonly completedAt: number | null
  readonly settings: SessionSettings
  readonly inputs: SessionInputs
  /** The keys for counting the session's failures. */
  readonly attemptKeys: readonly string[]
  /** Absent from older sessions, and from those opened with a credential or without limits. */
  readonly opener?: Opener
  readonly progress: ChallengeProgress
  readonly frameCount: number
  /** The server's observations; empty once completed. */
  readonly observations: readonly Observation[]
  /** The server's observations in the film; empty once completed, absent from sessions that are older than films. */
  readonly trail?: readonly TrailPoint[]
  /** Similarities to earlier visits, from all tries; removed at the end, when the result contains them. */
  readonly resembles?: readonly (Resemblance | EarlierSuspicion)[]
  /** The device's report, which is only a hint, and the person's consent. */
  readonly deviceReport: Readonly<Record<string, unknown>> | null
  readonly consent: {
    readonly given: boolean
    readonly wordingVersion: string
    readonly locale: string
  } | null
  readonly outcome: SessionOutcome | null
  /** Absent until a code is requested. */
  readonly handoff?: Handoff
  /** Absent if the session did not come from a kiosk. */
  readonly kiosk?: KioskOrigin
  /** Absent if no passkey is possible. */
  readonly passkey?: SessionPasskey
  /** The face in the caller's picture; removed at the end, and absent if there is no picture to compare with. */
  readonly reference?: BoundFace
  /** The state before the last review, as long as that review can be undone. */
  readonly reviewBefore?: { readonly review: Review | null; readonly isHeld: boolean }
  /** Absent from live sessions. */
  readonly test?: TestSession
  /** The analysis version, so that two results can be compared; null until then. */
  readonly pipelineVersion: string | null
}

/** Adds newly passed milestones with their first times. A picture implies consent, because the page sends none without it. */
export function reaching(
  { reached, reachedAt = {} }: Pick<SessionRecord, 'reached' | 'reachedAt'>,
  passed: readonly Milestone[],
  at: number,
): Required<Pick<SessionRecord, 'reached' | 'reachedAt'>> {
  const fresh = passed.filter((milestone) => !reached.includes(milestone))
  const times = Object.fromEntries(fresh.map((milestone) => [milestone, at]))
  return { reached: [...reached, ...fresh], reachedAt: { ...reachedAt, ...times } }
}

/** All session data is erased this long after the session's creation. */
export const retentionInMilliseconds = 7 * 24 * 3600 * 1000

/** A submission made in time may still be judged after the session's time has run out. */
const decisionGraceInMilliseconds = 60_000

/** True if the session's time ran out before it was submitted. */
export function isOverdue({ outcome, state, expiresAt }: SessionRecord, now: number): boolean {
  const grace = state === 'Submitted' ? decisionGraceInMilliseconds : 0
  return outcome === null && now >= expiresAt + grace
}

/** True if the process that was judging the submission failed or is gone. The submission may then be repeated. */
export function isUnjudged(
  { state, judging }: Pick<SessionRecord, 'state' | 'judging'>,
  now: number,
): boolean {
  return state === 'Submitted' && (judging?.until ?? 0) <= now
}
