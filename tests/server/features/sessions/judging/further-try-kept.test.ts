import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { consent, newVerification, type Opened, openSession, resultOf } from '../../../../support/visit.ts'

type Frame = ReturnType<typeof frameOf>

const anna: Scene = { person: 'anna' }
const live: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const gender: VerificationConfig = { verifierConfigs: { gender: { type: 'CalculationOnly' } } }

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

function send({ bearer }: Opened, frames: readonly Frame[], more: object = {}) {
  const sent = frames.map((frame) => ({ ...frame, challengeStep: 0 }))
  const body = { frames: sent, consent, acceptsRetry: true, ...more }
  return host.call(submitSession, { bearer, body: body as never })
}

const answer = ({ bearer }: Opened, step: number, frames: readonly Frame[]) =>
  host.call(submitStep, { bearer, body: { step, frames: [...frames] } })

describe('the pictures of a try', () => {
  const opening = () => [anna, anna, anna].map((scene) => frameOf(scene))

  /** A first try that skips the action, then one that performs it and begins with these pictures. */
  async function afterFailing(secondOf: (first: readonly Frame[]) => readonly Frame[]) {
    const opened = await openSession(host, await newVerification(host, live))
    const first = opening()
    await answer(opened, 0, first)
    const failed = await send(opened, [frameOf(anna)])
    expect(failed).toMatchObject({ retry: { attemptsLeft: 2 } })
    // The answer was lost. The same request gets the same answer, and does not count again.
    expect(await send(opened, [frameOf(anna)])).toEqual(failed)
    const { next } = await answer(opened, 0, secondOf(first))
    await answer(opened, next!.step, [frameOf({ ...anna, acted: next!.action })])
    await send(opened, [frameOf(anna)], { try: 2, acceptsRetry: false })
    return opened
  }

  test('count for nothing in the next one: with at least half of them it fails', async () => {
    const opened = await afterFailing((first) => first)
    expect(await resultOf(host, opened)).toMatchObject({
      tries: 2,
      verificationFailedReasons: ['livenessFailed'],
    })
  })

  test('are new when a person tries again', async () => {
    const opened = await afterFailing(opening)
    expect(await resultOf(host, opened)).toMatchObject({ tries: 2, verificationResult: 'Pass' })
  })

  test('may be repeated in part', async () => {
    const opened = await afterFailing(([first]) => [first!, ...opening().slice(1)])
    expect(await resultOf(host, opened)).toMatchObject({ tries: 2, verificationResult: 'Pass' })
  })
})

describe('a hint of injection in a first try', () => {
  const virtual = { deviceReport: { camera: 'OBS Virtual Camera' } }
  const nobody = () => [frameOf({ person: null })]
  const begun = async () => {
    const opened = await openSession(host, await newVerification(host, gender))
    await send(opened, nobody(), virtual)
    return opened
  }

  test.each<[string, (opened: Opened) => Promise<unknown>]>([
    [
      'passes with another camera',
      (opened) => send(opened, [frameOf(anna)], { try: 2, deviceReport: { camera: 'HD Webcam' } }),
    ],
    ['passes without a report', (opened) => send(opened, [frameOf(anna)], { try: 2 })],
    ['leaves', (opened) => send(opened, [], { leave: true })],
    ['ends it', (opened) => send(opened, [], { try: 2, problem: 'cameraUnavailable' })],
    ['lets the time pass', async () => host.pass(15 * 60_000)],
    [
      'tries twice more',
      async (opened) => {
        await send(opened, nobody(), { try: 2 })
        await send(opened, [frameOf(anna)], { try: 3 })
      },
    ],
  ])('is reported of a person who then %s', async (_what, then) => {
    const opened = await begun()
    await then(opened)
    expect((await resultOf(host, opened)).injectionHints).toEqual(['virtualCamera'])
  })

  test('remains next to those of the next one, each once', async () => {
    const opened = await begun()
    await send(opened, [frameOf({ person: null })], { try: 2, ...virtual })
    await send(opened, [frameOf(anna)], { try: 3, deviceReport: { analyses: 20, repeats: 20 } })
    expect((await resultOf(host, opened)).injectionHints).toEqual(['virtualCamera', 'constantPictures'])
  })
})
