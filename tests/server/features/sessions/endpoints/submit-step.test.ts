import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sizeRules } from '#models/rules/challenge/size.ts'
import { type Action, getSession, type NextStep, submitStep } from '#shared/contract/sessions/session.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import { frameOf, type Scene } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { captureOf, handIn, pairDevice, planOf } from '../../../../support/kiosk-device.ts'
import { recordOf } from '../../../../support/session-record.ts'
import { newVerification, type Opened, openSession, resultOf, submit } from '../../../../support/visit.ts'

const anna = { person: 'anna' }
const hosts: Host[] = []
async function hostOf(challengeActions: readonly Action[]): Promise<Host> {
  const host = await startHost({ ports: { challengeActions } })
  hosts.push(host)
  return host
}
afterAll(() => Promise.all(hosts.map((host) => host.close())))

let closer: Host
let both: Host
beforeAll(async () => {
  closer = await hostOf(['comeCloser', 'smile'])
  both = await hostOf(['turnLeft', 'turnRight', 'comeCloser'])
})

async function open(host: Host, allowAlternative = false): Promise<Opened> {
  const liveness = { type: 'Verification', challengeType: 'Balanced', allowAlternative } as const
  return openSession(host, await newVerification(host, { verifierConfigs: { liveness } }))
}

/** Answers a step the way a page that shows sizes does. */
function answer(host: Host, { bearer }: Opened, step: number, ...scenes: Scene[]) {
  const frames = scenes.map((scene) => frameOf(scene))
  return host.call(submitStep, { bearer, body: { step, frames, acceptsSizes: true } })
}

/** A session that asks the person to come closer. */
async function begun(): Promise<{ opened: Opened; next: NextStep }> {
  for (;;) {
    const opened = await open(closer)
    const { next } = await answer(closer, opened, 0, anna)
    if (next!.action === 'comeCloser') return { opened, next: next! }
  }
}

const at = (size: number): Scene => ({ ...anna, size })

describe('a challenge of sizes', () => {
  test('requests the second size when the first was reached, and passes', async () => {
    const { opened, next } = await begun()
    expect(next.size).toBeGreaterThanOrEqual(sizeRules.halfway.least)
    expect((await closer.call(getSession, { bearer: opened.bearer })).current).toMatchObject({
      action: 'comeCloser',
      size: next.size,
    })
    const second = await answer(closer, opened, 1, at(1), at(next.size!))
    expect(second).toMatchObject({ accepted: true, next: { step: 2, action: 'comeCloser' } })
    expect(Math.abs(Math.log(second.next!.size! / next.size!))).toBeGreaterThan(Math.log(1.24))
    expect(await answer(closer, opened, 2, at(second.next!.size!))).toEqual({ accepted: true, next: null })
    expect(await submit(closer, opened, anna)).toMatchObject({ verificationResult: 'Pass' })
    expect((await recordOf(closer, opened))!.outcome!.evidence.steps).toEqual(['performed', 'performed'])
  })

  test.each([
    ['too far', (size: number) => [at(size / 1.15)]],
    ['too near', (size: number) => [at(size * 1.15)]],
    ['passed through and left', (size: number) => [at(size), at(size * 1.25)]],
  ])('a size that is %s is not reached', async (_name, scenes) => {
    const { opened, next } = await begun()
    const answered = await answer(closer, opened, 1, ...scenes(next.size!))
    expect(answered).toMatchObject({ accepted: false, next: { step: 2, action: 'smile' } })
    expect(answered.next).not.toHaveProperty('size')
  })

  test('fails a person who answers the second size with the first', async () => {
    const { opened, next } = await begun()
    await answer(closer, opened, 1, at(next.size!))
    expect((await answer(closer, opened, 2, at(next.size!))).accepted).toBe(false)
    expect(await submit(closer, opened, anna)).toMatchObject({ verificationResult: 'Fail' })
    expect(await resultOf(closer, opened)).toMatchObject({ verificationFailedReasons: ['challengeFailed'] })
  })

  test('is not used for a page without support for sizes: any growth is accepted', async () => {
    const host = await hostOf(['comeCloser'])
    const opened = await open(host)
    const send = (step: number, scene: Scene) =>
      host.call(submitStep, { bearer: opened.bearer, body: { step, frames: [frameOf(scene)] } })
    const { next } = await send(0, anna)
    expect(next).toEqual({ step: 1, action: 'comeCloser', timeLimitInSeconds: 10 })
    expect(await send(1, at(1.4))).toEqual({ accepted: true, next: null })
    expect(await submit(host, opened, anna)).toMatchObject({ verificationResult: 'Pass' })
  })
})

describe('another way', () => {
  const ask = (opened: Opened) =>
    both.call(submitStep, {
      bearer: opened.bearer,
      body: { step: 1, frames: [], request: 'otherAction', acceptsSizes: true },
    })

  test('for a turn of the head is another turn, and then coming closer', async () => {
    for (let i = 0; i < 5; i++) {
      const opened = await open(both, true)
      const first = (await answer(both, opened, 0, anna)).next!.action
      expect(first).toMatch(/^turn/)
      const second = (await ask(opened)).next!.action
      expect(second).toMatch(/^turn/)
      expect(second).not.toBe(first)
      const { next } = await ask(opened)
      expect(next).toMatchObject({ step: 1, action: 'comeCloser', size: expect.any(Number) })
      expect((await answer(both, opened, 1, at(next!.size!))).next).toMatchObject({ action: 'comeCloser' })
    }
  })

  test('is not offered if it is not allowed', async () => {
    const opened = await open(both)
    await answer(both, opened, 0, anna)
    expect((await ask(opened)).next!.action).toMatch(/^turn/)
  })
})

describe('a plan of a kiosk', () => {
  test('contains its sizes, each of which is a step', async () => {
    const host = await hostOf(['comeCloser'])
    const liveness = { type: 'Verification', challengeType: 'Balanced' } as const
    const verificationId = await newVerification(host, { verifierConfigs: { liveness } })
    const device = await pairDevice(host, verificationId)
    const planned = () => planOf(device.plans[0]!).sizes!
    const taken = async (sizes: readonly number[]) => {
      const { verificationSessionId } = await handIn(
        host,
        device,
        captureOf(device, host.now(), shownAt(sizes)),
      )
      return host.call(getSessionResult, { query: { verificationSessionId } })
    }
    expect(planned()).toHaveLength(2)
    expect(await taken(planned())).toMatchObject({ livenessVerificationResult: 'Pass' })
    expect(await taken([...planned()].reverse())).toMatchObject({
      verificationFailedReasons: ['challengeFailed'],
    })
  })
})

/** Three-second steps that each take a picture before the end, followed by a final look. */
function shownAt(sizes: readonly number[]) {
  const shown = [1, ...sizes]
  return {
    steps: shown.map((_, step) => ({
      step,
      action: step === 0 ? null : ('comeCloser' as const),
      accepted: true,
      startedAt: step * 3000,
      endedAt: step * 3000 + 2000,
    })),
    frames: [...shown, 1].map((size, index) => ({
      ...frameOf(at(size), index * 3000 + 1500),
      challengeStep: Math.min(index, sizes.length),
    })),
  }
}
