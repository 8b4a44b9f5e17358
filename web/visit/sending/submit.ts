import { call } from '#shared/call.ts'
import {
  getSession,
  initRedirectSession,
  type NextStep,
  submitSession,
  submitStep,
} from '#shared/contract/sessions/session.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import type { BodyOf } from '#shared/endpoint.ts'
import type { Picture } from '#web/visit/capture/selection.ts'
import type { Closing } from '#web/visit/machine/state.ts'
import { toBase64 } from './base64.ts'
import { fetchWithin } from './fetch-within.ts'
import { persistently } from './retry.ts'
import { timely } from './timely.ts'
import { uploadingFetch } from './upload.ts'

/** What the person agreed to, or was asked to agree to. */
export interface Wording {
  readonly wordingVersion: string
  readonly locale: string
}

/** The page's side of the session operations. */
export interface SessionClient {
  /** With the same `openingId` after a lost answer, the same session. */
  open(link: LinkToOpen): ReturnType<typeof openSession>
  find(token: string): ReturnType<typeof findSession>
  take(code: string): ReturnType<typeof takeSession>
  createHandoff(token: string): ReturnType<typeof makeCode>
  cancelHandoff(token: string): Promise<unknown>
  submitStep(token: string, step: StepSubmission, wanted: Wanted): Promise<AnsweredStep>
  submitSession(
    token: string,
    session: SessionSubmission,
    wanted: Wanted,
    onUploaded: (share: number) => void,
  ): ReturnType<typeof sendSession>
}

/** Whether the answer is still waited for: a submission that was dropped or begun anew is not repeated. */
type Wanted = () => boolean

/** A signed link, and the page's own secret of opening it. */
export type LinkToOpen = Required<BodyOf<typeof initRedirectSession>>

export interface StepSubmission {
  readonly step: number
  readonly frames: readonly Picture[]
  readonly request?: 'moreTime' | 'otherAction'
  /** Milliseconds since 1970: when the pictures come too late; absent where they cannot. */
  readonly until?: number
}

/** What the server said to a step. */
export interface AnsweredStep {
  readonly next: NextStep | null
  readonly accepted: boolean
  /** Whether it was asked for time or another action, and given no pictures. */
  readonly request: boolean
  /** How many of the pictures were not sent in the end: they would have been late. */
  readonly dropped: number
}

export interface SessionSubmission {
  readonly closing: Closing
  readonly wording: Wording
  readonly deviceReport: Record<string, unknown>
}

/** The client of one server; what is submitted is repeated until it arrives. */
export function createClient(origin: string): SessionClient {
  return {
    open: (link) => openSession(origin, link),
    find: (token) => findSession(origin, token),
    take: (code) => takeSession(origin, code),
    createHandoff: (token) => makeCode(origin, token),
    cancelHandoff: (bearer) =>
      persistently(() => call(plainFetch, origin, cancelHandoff, { credential: { bearer } }), {
        ...network,
        wanted: () => true,
      }),
    async submitStep(token, step, wanted) {
      let sent = step
      const attempt = () => {
        sent = timely(step, Date.now())
        return sendStep(origin, token, sent)
      }
      const answer = await persistently(attempt, { ...network, wanted })
      const isDropped = sent !== step && answer.next?.step === step.step
      return {
        ...answer,
        request: sent.request !== undefined,
        dropped: isDropped ? step.frames.length : 0,
      }
    },
    submitSession: (token, session, wanted, onUploaded) =>
      persistently(() => sendSession(origin, token, session, onUploaded), { ...network, wanted }),
  }
}

const network = {
  online: () => navigator.onLine,
  sleep: (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)),
}

const plainFetch = fetchWithin(20_000)

function openSession(origin: string, body: LinkToOpen) {
  return call(plainFetch, origin, initRedirectSession, { body })
}

function findSession(origin: string, token: string) {
  return call(plainFetch, origin, getSession, { credential: { bearer: token } })
}

function takeSession(origin: string, code: string) {
  return call(plainFetch, origin, takeHandoff, { body: { code } })
}

function makeCode(origin: string, bearer: string) {
  return call(plainFetch, origin, createHandoff, { credential: { bearer } })
}

function sendStep(origin: string, token: string, { step, frames, request }: StepSubmission) {
  const body = { step, frames: frames.map(captured), ...(request === undefined ? {} : { request }) }
  return call(plainFetch, origin, submitStep, { credential: { bearer: token }, body })
}

function sendSession(
  origin: string,
  token: string,
  { closing, wording, deviceReport }: SessionSubmission,
  onUploaded: (share: number) => void,
) {
  return call(uploadingFetch(onUploaded), origin, submitSession, {
    credential: { bearer: token },
    body: {
      frames: framesOf(closing),
      deviceReport,
      consent: { given: closing.kind !== 'declined', ...wording },
      ...(closing.kind === 'noCamera' ? { problem: 'cameraUnavailable' as const } : {}),
    },
  })
}

function framesOf(closing: Closing) {
  if (closing.kind !== 'frames') return []
  return closing.frames.map((frame) => ({ ...captured(frame), challengeStep: closing.challengeStep }))
}

function captured({ bytes, time }: Picture): { bytes: string; time: number } {
  return { bytes: toBase64(bytes), time: Math.round(time) }
}
