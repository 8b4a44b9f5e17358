import { call } from '#shared/call.ts'
import {
  getSession,
  initRedirectSession,
  type NextStep,
  submitSession,
  submitStep,
} from '#shared/contract/sessions/session.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { submitPictures } from '#shared/contract/sessions/session-pictures.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import type { Picture } from '#web/capture/analysis/selection.ts'
import type { Closing, StepSubmission } from '#web/capture/machine/submissions.ts'
import { fetchWithin } from './fetch-within.ts'
import { encodeMultipart, type SendBytes, withBody } from './multipart.ts'
import { persistently } from './retry.ts'
import { createServerClock } from './server-clock.ts'
import { timely } from './timely.ts'
import { uploadingFetch } from './upload.ts'

/** What the person agreed to, or was asked to agree to. */
export interface ShownWording {
  readonly wordingVersion: string
  readonly locale: string
}

/** Whether the answer is still waited for: a submission that was dropped or begun anew is not repeated. */
type Wanted = () => boolean

/** What the server said to a step. */
interface AnsweredStep {
  readonly next: NextStep | null
  readonly accepted: boolean
  /** Whether it was asked for time or another action, and given no pictures. */
  readonly request: boolean
  /** How many of the pictures were not sent in the end: they would have been late. */
  readonly dropped: number
}

/** A step with what was filmed since the request before. */
export type FilmedStep = StepSubmission & { readonly trail: readonly Picture[] }

/** Pictures of a step that is still acted. */
export interface EarlyBatch {
  readonly step: number
  /** From 1 in each step. */
  readonly batch: number
  readonly frames: readonly Picture[]
  readonly trail: readonly Picture[]
}

interface SessionSubmission {
  readonly closing: Closing
  /** Which try this is, from 1. */
  readonly attempt: number
  readonly consented: boolean
  readonly trail: readonly Picture[]
  readonly wording: ShownWording
  readonly deviceReport: Record<string, unknown>
}

/** The page's side of the session operations. */
export type SessionClient = ReturnType<typeof createClient>

/** The client of one server; what is submitted is repeated until it arrives. */
export function createClient(origin: string) {
  const clock = createServerClock()
  const plainFetch = clock.watched(fetchWithin(answerMilliseconds))
  return {
    /** What time it is by the server's clock, in milliseconds since 1970; by this device's before its first answer. */
    serverTime: clock.now,
    /** With the same `openingId` or `resumeSecret` after a lost answer, the same session. */
    open: (body: BodyOf<typeof initRedirectSession>) =>
      call(plainFetch, origin, initRedirectSession, { body }),
    find: (bearer: string) => call(plainFetch, origin, getSession, { credential: { bearer } }),
    take: (code: string) => call(plainFetch, origin, takeHandoff, { body: { code } }),
    createHandoff: (bearer: string) => call(plainFetch, origin, createHandoff, { credential: { bearer } }),
    cancelHandoff: (bearer: string): Promise<unknown> => {
      const attempt = () => call(plainFetch, origin, cancelHandoff, { credential: { bearer } })
      return persistently(attempt, { ...network, wanted: () => true })
    },
    /** Rejects if the server does not take the batch now; the same batch may be sent again. */
    submitPictures: (bearer: string, batch: EarlyBatch) => sendBatch(plainFetch, origin, bearer, batch),
    /** Drops what the page handed in for a step before it was reloaded. */
    startOver: (bearer: string, step: number) =>
      call(plainFetch, origin, submitStep, {
        credential: { bearer },
        body: { step, frames: [], request: 'startOver' },
      }),
    /** @param before what comes before each attempt, such as pictures of the step that did not arrive yet */
    async submitStep(
      bearer: string,
      step: FilmedStep,
      wanted: Wanted,
      before: () => Promise<void> = async () => {},
    ): Promise<AnsweredStep> {
      let sent: StepSubmission = step
      const attempt = async () => {
        await before()
        sent = timely(step, Date.now())
        return sendStep(plainFetch, origin, bearer, sent === step ? step : { ...sent, trail: [] })
      }
      const answer = await persistently(attempt, { ...network, wanted })
      const isDropped = sent !== step && answer.next?.step === step.step
      return {
        ...answer,
        request: sent.request !== undefined,
        dropped: isDropped ? step.frames.length : 0,
      }
    },
    submitSession: (
      bearer: string,
      session: SessionSubmission,
      wanted: Wanted,
      onUploaded: (share: number) => void,
    ) => persistently(() => sendSession(origin, bearer, session, onUploaded), { ...network, wanted }),
  }
}

/** Tells the server, while the page goes away, that nothing was agreed to. */
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

function sendStep(
  send: SendBytes,
  origin: string,
  bearer: string,
  { step, frames, trail, request }: FilmedStep,
) {
  const members = { step, acceptsSizes: true, request }
  const body = encodeMultipart(members, { frames: frames.map(captured), ...filmOf(trail) })
  return call(withBody(send, body), origin, submitStep, { credential: { bearer }, body: unread })
}

function sendBatch(
  send: SendBytes,
  origin: string,
  bearer: string,
  { step, batch, frames, trail }: EarlyBatch,
) {
  const body = encodeMultipart({ step, batch }, { frames: frames.map(captured), ...filmOf(trail) })
  return call(withBody(send, body), origin, submitPictures, { credential: { bearer }, body: unread })
}

/** In the place of a body that is encoded already. */
const unread = undefined as never

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
  return call(fetchIt, origin, submitSession, { credential: { bearer: token }, body: unread })
}

/** Whoever takes the other way may do so before they were asked. */
function isGiven({ kind }: Closing, consented: boolean): boolean {
  return kind === 'otherWay' ? consented : kind !== 'declined'
}

/** Why it is closed. [Note: A lost answer burns no try] The number goes with what is judged, so that a repeat is answered the same. */
function howOf(closing: Closing, attempt: number) {
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

function framesOf(closing: Closing) {
  if (closing.kind !== 'frames') return []
  return closing.frames.map((frame) => ({ ...captured(frame), challengeStep: closing.challengeStep }))
}

/** Absent where there is none. */
function filmOf(trail: readonly Picture[]) {
  return trail.length === 0 ? {} : { trail: trail.map(captured) }
}

function captured({ bytes, time }: Picture): Picture {
  return { bytes, time: Math.round(time) }
}
