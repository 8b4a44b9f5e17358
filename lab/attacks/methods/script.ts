import { setTimeout as pause } from 'node:timers/promises'
import { call } from '#shared/call.ts'
import { limits, submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Product } from '../../../e2e/support/product.ts'
import type { Forgery, Moment } from '../forgery.ts'
import type { Attempt, Challenge, Method } from './method.ts'

/** What a script lets pass between being asked and answering; and it says that its pictures were taken meanwhile. */
const stepInMilliseconds = 900
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
  const { verificationResult, verificationFailedReasons } = await call(
    fetch,
    product.address,
    getSessionResult,
    { credential, query: { verificationSessionId } },
  )
  return { passed: verificationResult === 'Pass', reasons: verificationFailedReasons }
}

/** From the first straight look to the last one. */
async function walk(address: string, bearer: string, forgery: Forgery): Promise<void> {
  const credential = { bearer }
  let clock = 0
  let room: number = limits.framesInAll
  const take = async (moment: Moment) => {
    const askedAt = performance.now()
    // One picture at least is kept for the last look.
    const most = moment === 'end' ? room : room - 1
    const jpegs = most < 1 ? [] : await forgery.frames(moment, Math.min(picturesOfAStep, most))
    room -= jpegs.length
    await pause(Math.max(0, stepInMilliseconds - (performance.now() - askedAt)))
    const frames = jpegs.map((jpeg, i) => ({
      bytes: jpeg.toString('base64'),
      time: Math.round(clock + (stepInMilliseconds * (i + 1)) / (jpegs.length + 1)),
    }))
    clock += stepInMilliseconds
    return frames
  }
  const send = async (step: number, moment: Moment) =>
    call(fetch, address, submitStep, { credential, body: { step, frames: await take(moment) } })
  let last = 0
  let { next } = await send(0, 'start')
  while (next !== null) {
    last = next.step
    next = (await send(last, next.action)).next
  }
  const frames = (await take('end')).map((frame) => ({ ...frame, challengeStep: last }))
  await call(fetch, address, submitSession, { credential, body: { frames, consent } })
}
