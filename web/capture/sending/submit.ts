import { call, callUnchecked } from '#shared/call.ts'
import {
  getSession,
  initRedirectSession,
  type NextStep,
  submitSession,
  submitStep,
} from '#shared/contract/sessions/session.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { readLink } from '#shared/contract/sessions/session-link.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import type { ClosingReason, StepSubmission } from '#web/capture/machine/submissions.ts'
import { steadyNow } from '#web/ui/steady-now.ts'
import { fetchWithin } from './fetch-within.ts'
import { encodeMultipart, type SendBytes, withBody } from './multipart.ts'
import { persistently } from './retry.ts'
import { createServerClock, type ServerClock } from './server-clock.ts'
import { timely } from './timely.ts'
import type { Uplink } from './uplink.ts'
import { uploadingFetch } from './upload.ts'

/** The consent wording that was shown. */
export interface ShownWording {
  readonly wordingVersion: string
  readonly locale: string
}

/** Returns true while the answer is still needed. Submissions that were dropped or restarted are not retried. */
type IsWanted = () => boolean

interface AnsweredStep {
  readonly next: NextStep | null
  readonly accepted: boolean
  /** True if the request asked for more time or another action instead of sending pictures. */
  readonly request: boolean
  /** How many pictures were not sent because they would have arrived too late. */
  readonly dropped: number
  /** How long the next step's clock may have been running before its answer arrived, in milliseconds. */
  readonly lateMilliseconds: number
  /** How long the network will take to send the next step's pictures, in milliseconds. */
  readonly handInMilliseconds: number
}

/** A step together with the film since the previous request. */
export type FilmedStep = StepSubmission & { readonly trail: readonly Picture[] }

/** Pictures of a step that is still in progress. */
export interface EarlyBatch {
  readonly step: number
  /** Counts from 1 in each step. */
  readonly batch: number
  readonly frames: readonly Picture[]
  readonly trail: readonly Picture[]
}

interface SessionSubmission {
  readonly closing: ClosingReason
  /** The number of the try, counted from 1. */
  readonly attempt: number
  readonly consented: boolean
  readonly trail: readonly Picture[]
  readonly wording: ShownWording
  readonly deviceReport: Record<string, unknown>
}

/** The page's client for session calls. */
export type SessionClient = ReturnType<typeof createClient>

/** Creates the client for one server. Submissions are retried until they arrive. */
export function createClient(origin: string, uplink?: Uplink) {
  const clock = createServerClock()
  const plainFetch = clock.watched(fetchWithin(answerMilliseconds))
  const stepFetch = uplink === undefined ? plainFetch : clock.watched(uploadingFetch(() => {}, uplink))
  return {
    /** The server's time in milliseconds since 1970. Before the first answer, the device's own time. */
    serverTime: clock.now,
    read: (body: BodyOf<typeof readLink>) => call(plainFetch, origin, readLink, { body }),
    /** Returns the same session for the same `openingId` or `resumeSecret`, so it can be retried after a lost answer. */
    open: (body: BodyOf<typeof initRedirectSession>) =>
      call(plainFetch, origin, initRedirectSession, { body }),
    find: (bearer: string) => call(plainFetch, origin, getSession, { credential: { bearer } }),
    take: (code: string) => call(plainFetch, origin, takeHandoff, { body: { code } }),
    createHandoff: (bearer: string) => call(plainFetch, origin, createHandoff, { credential: { bearer } }),
    cancelHandoff: (bearer: string): Promise<unknown> => {
      const attempt = () => call(plainFetch, origin, cancelHandoff, { credential: { bearer } })
      return persistently(attempt, { ...network, wanted: () => true })
    },
    /** Rejects if the server does not accept the batch now. The same batch may be sent again. */
    submitPictures: (bearer: string, batch: EarlyBatch) => sendBatch(plainFetch, origin, bearer, batch),
    /** Discards the pictures that the page sent for a step before it was reloaded. */
    startOver: (bearer: string, step: number) =>
      call(plainFetch, origin, submitStep, {
        credential: { bearer },
        body: { step, frames: [], request: 'startOver' },
      }),
    submitStep: createSubmitStep({ origin, clock, uplink, plainFetch, stepFetch }),
    submitSession: (
      bearer: string,
      session: SessionSubmission,
      wanted: IsWanted,
      onUploaded: (share: number) => void,
    ) => persistently(() => sendSession(origin, bearer, session, onUploaded), { ...network, wanted }),
  }
}

interface StepServices {
  readonly origin: string
  readonly clock: ServerClock
  readonly uplink: Uplink | undefined
  readonly plainFetch: SendBytes
  /** Also measures the network. */
  readonly stepFetch: SendBytes
}

/** Submits steps. `before` runs before each attempt and sends the step's pictures that have not arrived yet. */
function createSubmitStep({ origin, clock, uplink, plainFetch, stepFetch }: StepServices) {
  return async (
    bearer: string,
    step: FilmedStep,
    wanted: IsWanted,
    before: () => Promise<void> = async () => {},
  ): Promise<AnsweredStep> => {
    let sent: StepSubmission = step
    let attempts = 0
    const begunAt = steadyNow()
    const onItsWay = Math.max(0, (uplink?.takes(bytesOf(step)) ?? 0) - graceMilliseconds)
    const attempt = async () => {
      await before()
      attempts++
      sent = timely(step, steadyNow() + onItsWay)
      const isWhole = sent === step
      return sendStep(
        isWhole ? stepFetch : plainFetch,
        origin,
        bearer,
        isWhole ? step : { ...sent, trail: [] },
      )
    }
    const answer = await persistently(attempt, { ...network, wanted })
    const isDropped = sent !== step && answer.next?.step === step.step
    // The next step's clock may have started with an earlier attempt whose answer was lost. A request for more time restarts it.
    const isRepeat = attempts > 1 && sent.request === undefined
    return {
      ...answer,
      request: sent.request !== undefined,
      dropped: isDropped ? step.frames.length : 0,
      lateMilliseconds: isRepeat ? steadyNow() - begunAt : clock.lateness(),
      handInMilliseconds: uplink?.handInMilliseconds() ?? 0,
    }
  }
}

/** Reports a refusal while the page is being closed. */
export function sendRefusal(token: string): void {
  const body = { frames: [], consent: { given: false, wordingVersion: '', locale: '' } }
  fetch(submitSession.path, {
    method: submitSession.method,
    keepalive: true,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  }).catch(() => {})
}

const network = {
  online: () => navigator.onLine,
  sleep: (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)),
}

const answerMilliseconds = 20_000
/** How much of the server's grace period for slow uploads is used. */
const graceMilliseconds = 1500

function bytesOf({ frames, trail }: FilmedStep): number {
  return [...frames, ...trail].reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function sendStep(
  send: SendBytes,
  origin: string,
  bearer: string,
  { step, frames, trail, request }: FilmedStep,
) {
  const members = { step, acceptsSizes: true, request }
  const body = encodeMultipart(members, { frames: frames.map(captured), ...filmOf(trail) })
  return callUnchecked(withBody(send, body), origin, submitStep, { credential: { bearer } })
}

function sendBatch(
  send: SendBytes,
  origin: string,
  bearer: string,
  { step, batch, frames, trail }: EarlyBatch,
) {
  const body = encodeMultipart({ step, batch }, { frames: frames.map(captured), ...filmOf(trail) })
  return callUnchecked(withBody(send, body), origin, submitPictures, { credential: { bearer } })
}

function sendSession(
  origin: string,
  token: string,
  { closing, attempt, consented, trail, wording, deviceReport }: SessionSubmission,
  onUploaded: (share: number) => void,
) {
  const consent = { given: isGiven(closing, consented), ...wording }
  const members = { deviceReport, consent, ...howOf(closing, attempt) }
  const body = encodeMultipart(members, { frames: framesOf(closing), ...filmOf(trail) })
  const fetchIt = withBody(uploadingFetch(onUploaded), body)
  return callUnchecked(fetchIt, origin, submitSession, { credential: { bearer: token } })
}

/** True if consent was given. The alternative can be chosen even before consent was requested. */
function isGiven({ kind }: ClosingReason, consented: boolean): boolean {
  return kind === 'otherWay' ? consented : kind !== 'declined'
}

/** Why the session is closed. [Note: A lost answer burns no try] It includes the try's number, so that a repeat gets the same answer. */
function howOf(closing: ClosingReason, attempt: number) {
  switch (closing.kind) {
    case 'frames':
      return { acceptsRetry: true, try: attempt }
    case 'noCamera':
      return { problem: 'cameraUnavailable' as const }
    case 'otherWay':
      return { problem: 'alternativeChosen' as const }
    case 'left':
      return { leave: true }
    case 'test':
      return { testOutcome: { result: closing.result }, acceptsRetry: true, try: attempt }
    case 'declined':
      return {}
  }
}

function framesOf(closing: ClosingReason) {
  if (closing.kind !== 'frames') return []
  return closing.frames.map((frame) => ({ ...captured(frame), challengeStep: closing.challengeStep }))
}

/** The film as the request needs it; absent if there are no pictures. */
function filmOf(trail: readonly Picture[]) {
  return trail.length === 0 ? {} : { trail: trail.map(captured) }
}

function captured({ bytes, time }: Picture): Picture {
  return { bytes, time: Math.round(time) }
}
