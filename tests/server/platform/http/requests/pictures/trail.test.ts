import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { fakeJpeg, frameOf, type Scene } from '../../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../../support/host.ts'
import { captureOf, handIn, pairDevice } from '../../../../../support/kiosk-device.ts'
import { recordOf } from '../../../../../support/session-record.ts'
import {
  consent,
  newVerification,
  type Opened,
  openSession,
  problemOf,
} from '../../../../../support/visit.ts'

const anna = { person: 'anna' }
const balanced: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const passive: VerificationConfig = { verifierConfigs: { age: { type: 'CalculationOnly' } } }

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

/** A film of a single scene with five pictures per second. */
const film = (from: number, seconds: number, scene: Scene = anna) =>
  Array.from({ length: seconds * 5 + 1 }, (_, i) => ({
    bytes: Buffer.from(fakeJpeg({ ...scene, shot: from + i }, 128, 96)).toString('base64'),
    time: from + i * 200,
  }))

async function open(config: VerificationConfig) {
  const opened = await openSession(host, await newVerification(host, config))
  host.pass(10_000)
  return opened
}

const step = ({ bearer }: Opened, number: number, scene: Scene, from: number) =>
  host.call(submitStep, {
    bearer,
    body: { step: number, frames: [frameOf(scene, from + 400)], trail: film(from, 1, scene) },
  })

const submit = ({ bearer }: Opened, from: number) => {
  const frames = [{ ...frameOf(anna, from + 400), challengeStep: 1 }]
  return host.call(submitSession, { bearer, body: { frames, consent, trail: film(from, 1) } })
}

describe('the film of a session', () => {
  test('is stored as numbers, until the session is completed', async () => {
    const opened = await open(balanced)
    const { next } = await step(opened, 0, anna, 0)
    const kept = (await recordOf(host, opened))!.trail!
    expect(kept.map(({ time }) => time)).toEqual([0, 200, 400, 600, 800, 1000])
    expect(Object.keys(kept[0]!).sort()).toEqual([
      'digest',
      'face',
      'luminance',
      'place',
      'receivedAt',
      'time',
    ])
    host.pass(3000)
    await step(opened, next!.step, { ...anna, acted: next!.action }, 1200)
    host.pass(3000)
    expect(await submit(opened, 2400)).toMatchObject({ verificationResult: 'Pass' })
    const record = (await recordOf(host, opened))!
    expect(record.trail).toEqual([])
    expect(record.outcome!.evidence.cues.find(({ name }) => name === 'cuts')).toEqual({
      name: 'cuts',
      answer: expect.any(String),
      value: expect.any(Number),
    })
  })

  test('counts once, however often it is sent', async () => {
    const opened = await open(balanced)
    await step(opened, 0, anna, 0)
    const calls = host.analysis.calls
    await step(opened, 0, anna, 0)
    await step(opened, 0, anna, 5000)
    expect(host.analysis.calls).toBe(calls)
    expect((await recordOf(host, opened))!.trail).toHaveLength(6)
  })

  test('has at most 240 pictures over all requests', async () => {
    const opened = await open(balanced)
    host.pass(60_000)
    const send = (number: number, count: number) =>
      host.call(submitStep, {
        bearer: opened.bearer,
        body: { step: number, frames: [frameOf(anna)], trail: film(0, 60).slice(0, count) },
      })
    const { next } = await send(0, 200)
    expect(await problemOf(send(next!.step, 41))).toBe('invalid_request')
    await send(next!.step, 40)
    expect((await recordOf(host, opened))!.trail).toHaveLength(240)
  })

  test('is not analysed if liveness is not checked', async () => {
    const opened = await open(passive)
    const calls = host.analysis.calls
    await step(opened, 0, anna, 0)
    // The frame once, and again to count other faces.
    expect(host.analysis.calls).toBe(calls + 2)
    expect((await recordOf(host, opened))!.trail).toEqual([])
  })

  test('is refused with a request for time', async () => {
    const opened = await open(balanced)
    const { next } = await step(opened, 0, anna, 0)
    const body = { step: next!.step, frames: [], trail: film(0, 1), request: 'moreTime' as const }
    expect(await problemOf(host.call(submitStep, { bearer: opened.bearer, body }))).toBe('invalid_request')
  })
})

describe('the film of a capture', () => {
  test('is analysed like that of a page', async () => {
    const device = await pairDevice(host, await newVerification(host, balanced))
    const calls = host.analysis.calls
    const capture = captureOf(device, host.now())
    const answer = await handIn(host, device, { ...capture, trail: film(0, 4) })
    expect(host.analysis.calls).toBe(calls + capture.frames.length + 21 + 1)
    const record = await recordOf(host, answer as never)
    expect(record!.outcome!.evidence.cues).toContainEqual(
      expect.objectContaining({ name: 'cuts', value: expect.any(Number) }),
    )
    expect(record!.trail).toEqual([])
  })

  test('has errors that point below the sealed part', async () => {
    const device = await pairDevice(host, await newVerification(host, balanced))
    const large = { bytes: Buffer.from(fakeJpeg(anna, 129, 72)).toString('base64'), time: 0 }
    const refused = handIn(host, device, { ...captureOf(device, host.now()), trail: [large] })
    await expect(refused).rejects.toMatchObject({
      code: 'capture_refused',
      errors: [{ pointer: '#/sealed/trail/0/bytes' }],
    })
    const many = { ...captureOf(device, host.now()), trail: film(0, 60).slice(0, 241) }
    await expect(handIn(host, device, many)).rejects.toMatchObject({
      errors: [{ pointer: '#/sealed/trail' }],
    })
  })
})
