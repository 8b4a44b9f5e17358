import type { ChallengeProgress } from '#models/rules/challenge/progress.ts'
import type { StepRecord } from '#models/rules/challenge/step.ts'
import type { Resemblance } from '#models/rules/liveness/earlier/resemblance.ts'
import type { BoundFace } from '#models/rules/liveness/evidence/bound-face.ts'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import { firstPolicyVersion } from '#models/rules/liveness/policy.ts'
import type { Standing } from '#models/rules/liveness/second-try.ts'
import type { Observation } from '#models/rules/observation.ts'
import type { LivenessEvidence, Verdict } from '#models/rules/verdict.ts'
import type { Look } from '#server/features/callers/callers.ts'
import type { SessionInputs, SessionSettings } from '#server/features/links/links.ts'
import type { Logo } from '#shared/contract/account/logo.ts'
import type { KioskAnswer } from '#shared/contract/kiosk/kiosk-answer.ts'
import type { InjectionHint, sessionStates, TestOutcome } from '#shared/contract/sessions/session.ts'
import type { Visitor } from '#shared/contract/sessions/session-device.ts'
import type { milestones } from '#shared/contract/sessions/session-ending.ts'
import type { SessionSource } from '#shared/contract/sessions/session-list.ts'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import type { Review, SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Recognition } from './results/recognition.ts'

/** A stage of a visit; each is counted once. */
export type Milestone = (typeof milestones)[number]

export type SessionState = (typeof sessionStates)[number]

/** Data of earlier tries in a session that may be tried again. */
export interface TriesBefore {
  readonly standing: Standing
  /** The last verdict, without its face; it becomes final if the session is abandoned. */
  readonly verdict: Verdict
  /** A failed recognition, which is not repeated. Null if none failed. */
  readonly recognition: Recognition | null
  /** Milliseconds since 1970: when the current try began. */
  readonly begun: number
  /** The distinct digests of their pictures, which recognise repeated ones; absent from older records. */
  readonly pictures?: readonly string[]
  /** Hints in their devices' reports, combined; absent from older records. */
  readonly injectionHints?: readonly InjectionHint[]
}

/** A try that was followed by another one, with its requested actions, for the review of the session. */
export interface EarlierTry {
  readonly steps: readonly Pick<
    StepRecord,
    'step' | 'action' | 'revealedAt' | 'answeredAt' | 'accepted' | 'reason'
  >[]
  /** Milliseconds since 1970: when the next one began. */
  readonly followedAt: number
}

/** A result as it was decided, without the members that are added when it is read. */
export type DecidedResult = Omit<SessionResult, 'environment' | 'passkeys' | 'tries' | 'review'>

/** A result as it is stored; those written before assurance levels existed have none. */
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

/** Fills in members that an older result lacks; without evidence its assurance is none. */
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
}

/** The handoffs of a session to other devices. */
export interface Handoff {
  /** The device that may submit. */
  readonly holder: number
  /** The device, or the page, that opened the link last; absent for 0, the first one. */
  readonly opener?: number
  /** Number of devices that have taken the session over or opened it again. Each has a unique number. */
  readonly taken: number
  /** Devices that took the session over; absent if none did. */
  readonly followers?: readonly number[]
  /** Number of codes that were created. */
  readonly codes: number
  /** Digest of the one valid code while it lasts; the code itself is not stored. */
  readonly codeDigest: string | null
  /** Two digits that both devices show. */
  readonly number: string | null
}

/** The capture of a kiosk that became a session, and the kiosk's data about it. */
export interface KioskOrigin {
  readonly kioskId: string
  readonly captureId: string
  /** ISO 8601: the device's time, corrected by its known clock offset. */
  readonly capturedAt: string
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  readonly clockDriftInSeconds: number
  readonly answer: KioskAnswer
}

/** A passkey that was shown in a visit, and the face that it is pinned to. */
export interface ShownPasskey extends BoundFace {
  /** Absent from older visits. */
  readonly credentialId?: string
  /** True if it came from another device than the one of the visit. */
  readonly isFromElsewhere?: boolean
  /** True if a root trusted by the operator vouches for its device; required for `high`. */
  readonly isAttested?: boolean
}

/** The state of passkeys in a session. */
export interface SessionPasskey {
  /** The person bound one at an earlier visit. */
  readonly isBound: boolean
  /** The challenge that a device has to sign, and its purpose; null if none is pending. */
  readonly challenge: { readonly value: string; readonly for: PasskeyCeremony } | null
  /** The one verified in this visit; removed at its end. */
  readonly verified: ShownPasskey | null
  /** The person may bind one now. */
  readonly isOffered: boolean
  /** The shown and bound passkeys as reported to the integrator; absent if there are none. */
  readonly told?: SessionResult['passkeys']
}

/** The requested outcome of a test session; null until it is chosen. */
export interface TestSession {
  readonly outcome: TestOutcome | null
  /** The outcomes of further tries; absent if the first is final. */
  readonly further?: readonly TestOutcome[]
}

/** A session that was suspected of forgery before this suspected one. */
export interface SuspectedBefore {
  readonly kind: 'forgerySuspected'
  readonly sessionId: string
}

/** The opener of a session, and the bytes that are reserved for it. */
export interface Opener {
  /** A keyed digest of the address, or of its /64, so that the record does not name a visitor. */
  readonly network: string
  readonly reservedBytes: number
}

/** A verification session as it is stored, without pictures. */
export interface SessionRecord {
  readonly sessionId: string
  readonly accountId: string
  readonly accountName: string
  /** `#rrggbb`, or null for the default colour. */
  readonly accentColour: string | null
  /** The visitor's support address, and the look of the pages; absent if the account sets neither. */
  readonly appearance?: { readonly supportUrl: string | null; readonly look: Partial<Look> | null }
  /** Absent from sessions that are older than logos. */
  readonly logo?: Logo | null
  /** Origins that may embed the page of the session. */
  readonly embedOrigins: readonly string[]
  /** True for a sign-in: its page is never framed, and stays connected with the window that opened it. */
  readonly ownWindow?: true
  /** The id of its result: 128 random bits, hex. */
  readonly resultId: string
  /** Null for a session without a verification. */
  readonly verificationId: string | null
  /** The collection in which faces are searched and enrolled; null if there is none. */
  readonly collectionId: string | null
  readonly state: SessionState
  readonly source: SessionSource
  /** How far the visit came, as the server saw it. */
  readonly reached: readonly Milestone[]
  /** When, in milliseconds since 1970; absent from sessions that are older than these times. */
  readonly reachedAt?: Readonly<Partial<Record<Milestone, number>>>
  /** Device and browser, as far as its browser reports them; absent until one did. */
  readonly visitor?: Visitor
  /** Number of judged tries. */
  readonly tries: number
  /** Absent before the first further try, and once completed. */
  readonly before?: TriesBefore
  /** The tries before the last one, in order; absent if there was only one, and from older sessions. */
  readonly earlierTries?: readonly EarlierTry[]
  /** The decision of a reviewer; null if there is none. */
  readonly review: Review | null
  /** The submission being judged, and its time limit; null if there is none. */
  readonly judging: { readonly by: string; readonly until: number } | null
  /** Milliseconds since 1970. */
  readonly created: number
  readonly expiresAt: number
  /** When it was completed or had expired; null until then. */
  readonly completedAt: number | null
  readonly settings: SessionSettings
  readonly inputs: SessionInputs
  /** The keys under which its failures are counted. */
  readonly attemptKeys: readonly string[]
  /** Absent from sessions that were opened with a credential or without limits, and from older ones. */
  readonly opener?: Opener
  readonly progress: ChallengeProgress
  readonly frameCount: number
  /** The server's observations; empty once completed. */
  readonly observations: readonly Observation[]
  /** The server's observations of the film; empty once completed, absent from sessions that are older than films. */
  readonly trail?: readonly TrailPoint[]
  /** Similarities with earlier visits, in any of its tries; removed at the end, when the result contains them. */
  readonly resembles?: readonly (Resemblance | SuspectedBefore)[]
  /** The device's report, which is only a hint; and the consent that was given. */
  readonly deviceReport: Readonly<Record<string, unknown>> | null
  readonly consent: {
    readonly given: boolean
    readonly wordingVersion: string
    readonly locale: string
  } | null
  readonly outcome: SessionOutcome | null
  /** Absent until a code is requested. */
  readonly handoff?: Handoff
  /** Absent from sessions that came from no kiosk. */
  readonly kiosk?: KioskOrigin
  /** Absent if no passkey is possible. */
  readonly passkey?: SessionPasskey
  /** The face in the caller's picture; removed at the end, absent if there is none to compare with. */
  readonly reference?: BoundFace
  /** The state before the last review, while that one can be undone. */
  readonly reviewBefore?: { readonly review: Review | null; readonly isHeld: boolean }
  /** Absent from live sessions. */
  readonly test?: TestSession
  /** Version of the analysis, so that two results can be compared; null until then. */
  readonly pipelineVersion: string | null
}

/** Adds newly passed milestones, each with its first time. Pictures are assumed to imply consent, since the page sends none without it. */
export function reaching(
  { reached, reachedAt = {} }: Pick<SessionRecord, 'reached' | 'reachedAt'>,
  passed: readonly Milestone[],
  at: number,
): Required<Pick<SessionRecord, 'reached' | 'reachedAt'>> {
  const fresh = passed.filter((milestone) => !reached.includes(milestone))
  const times = Object.fromEntries(fresh.map((milestone) => [milestone, at]))
  return { reached: [...reached, ...fresh], reachedAt: { ...reachedAt, ...times } }
}

/** All data of a session is erased this long after its creation. */
export const retentionInMilliseconds = 7 * 24 * 3600 * 1000

/** A submission made in time may still be judged after the session's time is over. */
const decisionGraceInMilliseconds = 60_000

/** True if the session's time ran out before it was submitted. */
export function isOverdue({ outcome, state, expiresAt }: SessionRecord, now: number): boolean {
  const grace = state === 'Submitted' ? decisionGraceInMilliseconds : 0
  return outcome === null && now >= expiresAt + grace
}

/** True if the process that judged the submission failed or is gone. It may then be submitted again. */
export function isUnjudged(
  { state, judging }: Pick<SessionRecord, 'state' | 'judging'>,
  now: number,
): boolean {
  return state === 'Submitted' && (judging?.until ?? 0) <= now
}
