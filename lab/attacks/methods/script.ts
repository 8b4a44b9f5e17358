import { setTimeout as pause } from 'node:timers/promises'
import { call } from '#shared/call.ts'
import { limits, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Product } from '../../../e2e/support/product.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { framesOf, trailOf } from './filmed-moment.ts'
import { type Attempt, attemptOf, type Challenge, type Method } from './method.ts'

const picturesOfAStep = 4

const consent = { given: true, wordingVersion: '1', locale: 'en' }

/** A program that talks to the interface in place of the page, and makes up when its pictures were taken. */
export const script: Method = {
  name: 'script',
  is: 'A program talks to the interface in place of the page; it makes up when its pictures were taken.',
  atOnce: 5,
  async open(product, challenge) {
    return {
      attempt: (forgery) => attempt(product, challenge, forgery),
      close: async () => undefined,
    }
  },
}

async function attempt(product: Product, challengeType: Challenge, forgery: Forgery): Promise<Attempt> {
  const credential = { apiKey: product.apiKey }
  const { verificationSessionId, sessionToken } = await call(fetch, product.address, createSession, {
    credential,
    body: { verifierConfigs: { liveness: { type: 'Verification', challengeType } } },
  })
  await walk(product.address, sessionToken, forgery)
  const query = { verificationSessionId }
  return attemptOf(await call(fetch, product.address, getSessionResult, { credential, query }))
}

/**
 * From the first straight look to the last one. Between being asked and answering a script lets pass what a moment takes, and
 * says that its pictures were taken meanwhile.
 */
async function walk(address: string, bearer: string, forgery: Forgery): Promise<void> {
  const credential = { bearer }
  let clock = 0
  let room: number = limits.framesInAll
  const take = async (moment: Moment) => {
    const askedAt = performance.now()
    const { momentInMilliseconds } = forgery
    // One picture at least is kept for the last look.
    const most = moment === 'end' ? room : room - 1
    const frames = await framesOf(forgery, moment, Math.max(0, Math.min(picturesOfAStep, most)), clock)
    const trail = await trailOf(forgery, moment, clock)
    room -= frames.length
    await pause(Math.max(0, momentInMilliseconds - (performance.now() - askedAt)))
    clock += momentInMilliseconds
    return { frames, trail }
  }
  const send = async (step: number, moment: Moment) =>
    call(fetch, address, submitStep, { credential, body: { step, ...(await take(moment)) } })
  let last = 0
  let { next } = await send(0, 'start')
  while (next !== null) {
    last = next.step
    next = (await send(last, next.action)).next
  }
  const { frames, trail } = await take('end')
  const body = { frames: frames.map((frame) => ({ ...frame, challengeStep: last })), trail, consent }
  await call(fetch, address, submitSession, { credential, body })
}
