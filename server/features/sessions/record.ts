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

/** What a visit comes past; each is counted once. */
export type Milestone = (typeof milestones)[number]

export type SessionState = (typeof sessionStates)[number]

/** What a session that may be tried again keeps of the tries before. */
export interface TriesBefore {
  readonly standing: Standing
  /** The last verdict, without its face: what a session is closed with that is left. */
  readonly verdict: Verdict
  /** What a failed recognition said; it is not asked again. Null where none failed. */
  readonly recognition: Recognition | null
  /** Milliseconds since 1970: when the try began that is under way. */
  readonly begun: number
  /** What their pictures are known by if one comes again, each once; absent from what is older than this. */
  readonly pictures?: readonly string[]
  /** What their devices' reports hinted at, together; absent as above. */
  readonly injectionHints?: readonly InjectionHint[]
}

/** A try that another one followed: what was asked in it, kept for who looks at the session afterwards. */
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

/** A result as it is stored: those written before assurance levels existed have none. */
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

/** What a result lacks that is older than the member: of the evidence for assurance there was none. */
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
  /** Kept with the result, and no part of it. */
  readonly evidence: LivenessEvidence
}

/** How a session passed to another device, and may again. */
export interface Handoff {
  /** The device that may submit. */
  readonly holder: number
  /** The device, or the page, that opened the link last; absent for 0, the first one. */
  readonly opener?: number
  /** How many devices have taken the session over, or opened it again; each has a number of its own, and never again another's. */
  readonly taken: number
  /** Devices that took the session over; absent if none did. */
  readonly followers?: readonly number[]
  /** How many codes were made. */
  readonly codes: number
  /** Of the one code that is worth something while it lasts; the code itself is not kept. */
  readonly codeDigest: string | null
  /** Two digits that both devices show. */
  readonly number: string | null
}

/** Which capture of a kiosk became a session, and what the kiosk said of it. */
export interface KioskOrigin {
  readonly kioskId: string
  readonly captureId: string
  /** ISO 8601: the device's word, with the offset applied that it knew. */
  readonly capturedAt: string
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  readonly clockDriftInSeconds: number
  readonly answer: KioskAnswer
}

/** A passkey that was shown in a visit, and the face that it is pinned to. */
export interface ShownPasskey extends BoundFace {
  /** Absent from visits that are older than the name. */
  readonly credentialId?: string
  /** It came from another device than the one that the visit is on. */
  readonly isFromElsewhere?: boolean
  /** Somebody whom the operator trusts vouches for its device; without it the passkey does not lead to `high`. */
  readonly isAttested?: boolean
}

/** What of passkeys there is in a session. */
export interface SessionPasskey {
  /** The person bound one at an earlier visit. */
  readonly isBound: boolean
  /** What a device is to sign, and what for; null where nothing is awaited. */
  readonly challenge: { readonly value: string; readonly for: PasskeyCeremony } | null
  /** The one that was verified in this visit; gone with its end. */
  readonly verified: ShownPasskey | null
  /** The person may bind one now. */
  readonly isOffered: boolean
  /** What the integrator learns of those that were shown and bound; absent where none was. */
  readonly told?: SessionResult['passkeys']
}

/** What a session of a test account is to end with; null where nobody has said so yet. */
export interface TestSession {
  readonly outcome: TestOutcome | null
  /** What the tries after this one end with; absent where the first is final. */
  readonly further?: readonly TestOutcome[]
}

/** A session that was suspected of forgery before this one, which is too. */
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

/** A verification session as it is stored. Pictures are never in it. */
export interface SessionRecord {
  readonly sessionId: string
  readonly accountId: string
  readonly accountName: string
  /** `#rrggbb`, or null for the house colour. */
  readonly accentColour: string | null
  /** Where the visitor finds help, and how the pages look; absent where the account says nothing. */
  readonly appearance?: { readonly supportUrl: string | null; readonly look: Partial<Look> | null }
  /** Absent from sessions that are older than logos. */
  readonly logo?: Logo | null
  /** Origins that may embed the page of the session. */
  readonly embedOrigins: readonly string[]
  /** True for a sign-in: its page is never framed, and stays connected with the window that opened it. */
  readonly ownWindow?: true
  /** What its result is named by: 128 random bits, hex. */
  readonly resultId: string
  /** Null for a session that stands for itself. */
  readonly verificationId: string | null
  /** Where faces are sought and kept; null where none are. */
  readonly collectionId: string | null
  readonly state: SessionState
  readonly source: SessionSource
  /** How far the visit came, as the server saw it. */
  readonly reached: readonly Milestone[]
  /** When, in milliseconds since 1970; absent from sessions that are older than these times. */
  readonly reachedAt?: Readonly<Partial<Record<Milestone, number>>>
  /** What it is made with, as far as its browser says so; absent until one did. */
  readonly visitor?: Visitor
  /** How often pictures were judged. */
  readonly tries: number
  /** Absent before the first further try, and once completed. */
  readonly before?: TriesBefore
  /** The tries before the last one, in their order; absent where there was one, and from sessions that are older than this. */
  readonly earlierTries?: readonly EarlierTry[]
  /** What a person decided who looked at it; null where nobody did. */
  readonly review: Review | null
  /** Which submission is being judged, and until when it may be; null where none is. */
  readonly judging: { readonly by: string; readonly until: number } | null
  /** Milliseconds since 1970. */
  readonly created: number
  readonly expiresAt: number
  /** When it was completed or had expired; null until then. */
  readonly completedAt: number | null
  readonly settings: SessionSettings
  readonly inputs: SessionInputs
  /** What failed sessions are counted under. */
  readonly attemptKeys: readonly string[]
  /** Absent from sessions that were opened with a credential or without limits, and from older ones. */
  readonly opener?: Opener
  readonly progress: ChallengeProgress
  readonly frameCount: number
  /** What the server saw; none once completed. */
  readonly observations: readonly Observation[]
  /** What the server saw in the thin film; none once completed, absent from sessions that are older than films. */
  readonly trail?: readonly TrailPoint[]
  /** What connects it with earlier visits, in any of its tries; gone with the end, whose result says it. */
  readonly resembles?: readonly (Resemblance | SuspectedBefore)[]
  /** The device's word, a hint; and the consent that was given. */
  readonly deviceReport: Readonly<Record<string, unknown>> | null
  readonly consent: {
    readonly given: boolean
    readonly wordingVersion: string
    readonly locale: string
  } | null
  readonly outcome: SessionOutcome | null
  /** Absent as long as nobody asked for a code. */
  readonly handoff?: Handoff
  /** Absent from sessions that came from no kiosk. */
  readonly kiosk?: KioskOrigin
  /** Absent where there can be no passkey. */
  readonly passkey?: SessionPasskey
  /** The face in the picture that the caller gave; gone with the end, absent where there is none to compare with. */
  readonly reference?: BoundFace
  /** What stood before the last review, while that one can be taken back. */
  readonly reviewBefore?: { readonly review: Review | null; readonly isHeld: boolean }
  /** Absent from live sessions. */
  readonly test?: TestSession
  /** What judged the pictures, so that two results can be compared; null until then. */
  readonly pipelineVersion: string | null
}

/** The milestones with those that are passed now, each at its first time. Pictures come only from who has consented, or so the page has it. */
export function reaching(
  { reached, reachedAt = {} }: Pick<SessionRecord, 'reached' | 'reachedAt'>,
  passed: readonly Milestone[],
  at: number,
): Required<Pick<SessionRecord, 'reached' | 'reachedAt'>> {
  const fresh = passed.filter((milestone) => !reached.includes(milestone))
  const times = Object.fromEntries(fresh.map((milestone) => [milestone, at]))
  return { reached: [...reached, ...fresh], reachedAt: { ...reachedAt, ...times } }
}

/** Everything of a session is gone so long after its creation. */
export const retentionInMilliseconds = 7 * 24 * 3600 * 1000

/** What was submitted in time may still be under decision when the time is over. */
const decisionGraceInMilliseconds = 60_000

/** Whether the session's time is over before it was submitted. */
export function isOverdue({ outcome, state, expiresAt }: SessionRecord, now: number): boolean {
  const grace = state === 'Submitted' ? decisionGraceInMilliseconds : 0
  return outcome === null && now >= expiresAt + grace
}

/** Whether nobody judges any more what was submitted: whoever did failed, or is gone. Then it may be submitted anew. */
export function isUnjudged(
  { state, judging }: Pick<SessionRecord, 'state' | 'judging'>,
  now: number,
): boolean {
  return state === 'Submitted' && (judging?.until ?? 0) <= now
}
