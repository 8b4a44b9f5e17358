import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '#shared/call.ts'
import {
  type Action,
  initRedirectSession,
  type NextStep,
  submitSession,
  submitStep,
} from '#shared/contract/sessions/session.ts'
import type { SessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Problem } from '#shared/problem.ts'
import { type Camera, newCamera, takePicture } from '../acted/camera.ts'
import { type Clip, comingBackShare } from '../acted/clips.ts'
import { readResult, type Site, signLink } from '../acted/scenario.ts'

/** A visit without a page: a program that calls the API and chooses what to send. */
export interface Opened {
  readonly verificationSessionId: string
  readonly bearer: string
  readonly openedAt: number
}

/** The content to show at each moment. `start` and `end` are straight looks. */
export type Moment = 'start' | Action | 'end'
export type Performer = (moment: Moment) => Promise<readonly Buffer[]>

/** The fastest plausible human reaction. */
const humanMilliseconds = 1000

const consent = { given: true, wordingVersion: '1', locale: 'en' }

export async function openSession(site: Site, verificationId: string): Promise<Opened> {
  const link = new URL(await signLink(site, verificationId))
  const { sessionToken, verificationSessionId } = await call(
    fetch,
    site.product.address,
    initRedirectSession,
    { body: { verificationId, queryString: link.search.slice(1) } },
  )
  return { verificationSessionId, bearer: sessionToken, openedAt: Date.now() }
}

export function sendStep(site: Site, opened: Opened, step: number, pictures: readonly Buffer[]) {
  return call(fetch, site.product.address, submitStep, {
    credential: opened,
    body: { step, frames: pictures.map((picture) => frameOf(opened, picture)) },
  })
}

export function closeSession(
  site: Site,
  opened: Opened,
  pictures: readonly Buffer[],
  {
    challengeStep = 0,
    deviceReport,
  }: { challengeStep?: number; deviceReport?: Record<string, unknown> } = {},
) {
  const frames = pictures.map((picture) => ({ ...frameOf(opened, picture), challengeStep }))
  return call(fetch, site.product.address, submitSession, {
    credential: opened,
    body: { frames, consent, ...(deviceReport !== undefined && { deviceReport }) },
  })
}

function frameOf({ openedAt }: Opened, picture: Buffer) {
  return { bytes: picture.toString('base64'), time: Date.now() - openedAt }
}

/** Submits a straight look and returns the first action. */
export async function start(site: Site, opened: Opened, performer: Performer): Promise<NextStep> {
  const { next } = await sendStep(site, opened, 0, await performer('start'))
  return next!
}

/** Performs one step at a human speed. */
export async function perform(site: Site, opened: Opened, asked: NextStep, performer: Performer) {
  const [pictures] = await Promise.all([performer(asked.action), sleep(humanMilliseconds)])
  return sendStep(site, opened, asked.step, pictures)
}

/** Performs all requested steps, and returns the last one's number. */
export async function performAll(site: Site, opened: Opened, performer: Performer): Promise<number> {
  let step = 0
  let next: NextStep | null = await start(site, opened, performer)
  while (next !== null) {
    step = next.step
    next = (await perform(site, opened, next, performer)).next
  }
  return step
}

/** A complete visit, from the link to the result. */
export async function visitByScript(
  site: Site,
  verificationId: string,
  performer: Performer,
  deviceReport?: Record<string, unknown>,
): Promise<SessionResult> {
  const opened = await openSession(site, verificationId)
  const challengeStep = await performAll(site, opened, performer)
  const pictures = await performer('end')
  await closeSession(site, opened, pictures, { challengeStep, ...(deviceReport && { deviceReport }) })
  return readResult(site, opened.verificationSessionId)
}

/**
 * The positions in a segment at which pictures are taken: early, halfway, and twice at the peak. A straight look skips the
 * beginning, because the head may still be returning from a turn.
 */
const moments = { moving: [comingBackShare, 0.35, 0.6, 0.75], straight: [0.2, 0.4, 0.6, 0.85] }
const longestOffset = 0.1

/** A clip's person, performing the requested actions. */
export function actorOf(clip: Clip, camera: Camera = newCamera()): Performer {
  return (moment) => {
    const straight = moment === 'start' || moment === 'end'
    const segments = clip.segments.filter(({ action }) => action === (straight ? 'frontal' : moment))
    const { startSeconds, endSeconds } = segments[moment === 'end' ? segments.length - 1 : 0]!
    const first = Math.ceil(startSeconds * clip.framesPerSecond)
    const length = Math.floor(endSeconds * clip.framesPerSecond) - first + 1
    const shares = straight ? moments.straight : moments.moving
    return Promise.all(
      shares.map((share) => {
        const at = first + Math.floor((share + camera.offset * longestOffset) * length)
        return takePicture(clip.frames[at]!, camera)
      }),
    )
  }
}

/** Photographs in front of the camera, four at a time and different ones each time. */
export function photographsOf(files: readonly string[], camera: Camera = newCamera()): Performer {
  let next = 0
  return () =>
    Promise.all(Array.from({ length: 4 }, () => takePicture(files[next++ % files.length]!, camera)))
}

/** Records all the pictures that are shown, by moment. */
export function recorded(performer: Performer): {
  performer: Performer
  shown: Map<Moment, readonly Buffer[]>
} {
  const shown = new Map<Moment, readonly Buffer[]>()
  return {
    shown,
    performer: async (moment) => {
      const pictures = await performer(moment)
      shown.set(moment, pictures)
      return pictures
    },
  }
}

/** The code and pointers of the problem that a call ends with. */
export async function problemOf(work: Promise<unknown>): Promise<{ code: string; pointers: string[] }> {
  try {
    await work
  } catch (error) {
    const { code, errors } = error as Problem
    return { code, pointers: (errors ?? []).map(({ pointer }) => pointer) }
  }
  return { code: 'no problem', pointers: [] }
}
