import { setTimeout as pause } from 'node:timers/promises'
import { call } from '../../../shared/call.ts'
import {
  limits,
  type NextStep,
  submitSession,
  submitStep,
} from '../../../shared/contract/sessions/session.ts'
import type { FilmKind } from '../films.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { type SentMoment, sentOf } from './filmed-moment.ts'

const picturesOfAStep = 4

const consent = { given: true, wordingVersion: '1', locale: 'en' }

/** An open session with its connection. */
export interface Visit {
  readonly address: string
  readonly sessionToken: string
  readonly forgery: Forgery
  readonly film: FilmKind
}

/**
 * Goes from the first straight look to the last one. Returns whether a passkey is offered, or undefined if the forger left because the awaited
 * action was never requested.
 */
export async function walk(visit: Visit): Promise<{ offersPasskey: boolean } | undefined> {
  const { address, forgery, sessionToken: bearer } = visit
  const { dodge } = forgery
  const credential = { bearer }
  const take = camera(visit)
  const send = async (step: number, moment: Moment) =>
    call(fetch, address, submitStep, { credential, body: { step, ...(await take(moment)) } })
  let last = 0
  let { next } = await send(0, 'start')
  let isDone = dodge === undefined
  while (next !== null) {
    last = next.step
    const isAvoided = dodge?.shows.includes(next.action) === false
    if (isAvoided && dodge?.others === 'left') return undefined
    const other = isAvoided && dodge?.others === 'exchanged' ? await exchanged(visit, next) : undefined
    if (other !== undefined) {
      next = other
      continue
    }
    isDone ||= !isAvoided
    next = (await send(last, isAvoided ? 'start' : next.action)).next
  }
  if (!isDone) return undefined
  const { frames, trail } = await take('end')
  const sent = frames.map((frame) => ({ ...frame, challengeStep: last }))
  const body = { frames: sent, ...(trail && { trail }), consent }
  const { offersPasskey = false } = await call(fetch, address, submitSession, { credential, body })
  return { offersPasskey }
}

/** Exchanges the step's action to avoid it. Undefined if there is no alternative. */
async function exchanged(
  { address, sessionToken: bearer }: Visit,
  { step, action }: NextStep,
): Promise<NextStep | undefined> {
  const body = { step, frames: [], request: 'otherAction' as const }
  const { next } = await call(fetch, address, submitStep, { credential: { bearer }, body })
  return next === null || next.action === action ? undefined : next
}

/**
 * Takes the pictures for one moment after another. A script waits as long as a moment takes before answering, and claims that its pictures were
 * taken during that time.
 */
function camera({ forgery, film }: Visit): (moment: Moment) => Promise<SentMoment> {
  const { momentInMilliseconds } = forgery
  let clock = 0
  let room: number = limits.framesInAll
  return async (moment) => {
    const askedAt = performance.now()
    // Saves at least one picture for the last look.
    const most = Math.max(0, Math.min(picturesOfAStep, moment === 'end' ? room : room - 1))
    const taken = await sentOf(forgery, film, moment, most, clock)
    room -= taken.frames.length
    await pause(Math.max(0, momentInMilliseconds - (performance.now() - askedAt)))
    clock += momentInMilliseconds
    return taken
  }
}
