import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Analysis } from '#models/rules/analysis.ts'
import { signatureSide } from '#models/rules/liveness/scene-signature.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { createVisitStore } from '#server/features/sessions/records/visit-store.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { frameOf, type Scene, sceneOf } from '../../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { captureOf, handIn, pairDevice } from '../../../../support/kiosk-device.ts'
import { seenIn } from '../../../../support/seen.ts'
import { consent, newVerification, openSession, resultOf } from '../../../../support/visit.ts'

/** A person in front of a patterned wall. `age` encodes the brightness in hundredths. */
function analysisOfRooms(): AnalysisService {
  let taken = 0
  return {
    parallel: 1,
    close: async () => {},
    async analyse(picture, wanted): Promise<Analysis> {
      const scene = sceneOf(picture)!
      const light = (scene.age ?? 100) / 100
      // No two pictures from a camera are identical down to the last digit.
      const noise = taken++ / 1000
      const sceneSignature = Float32Array.from(
        { length: signatureSide ** 2 },
        (_, i) => (100 + 40 * Math.sin(Math.floor(i / signatureSide) * 0.4)) * light + noise,
      )
      return {
        ...seenIn({ ...scene, age: 30 }, wanted),
        luminance: 120 * light,
        ...(wanted.sceneSignature && { sceneSignature }),
      }
    },
  }
}

const live: VerificationConfig = {
  verifierConfigs: { liveness: { type: 'Verification' } },
  redirectConfig: { passedUrl: 'https://shop.example/in', failedUrl: 'https://shop.example/out' },
}
let host: Host
beforeAll(async () => {
  host = await startHost({ ports: { analysis: analysisOfRooms(), challengeActions: ['turnLeft'] } })
})
afterAll(() => host.close())
let verificationId: string
beforeEach(async () => {
  verificationId = await newVerification(host, live)
})

interface Shown {
  readonly person?: string
  /** Hundredths. */
  readonly light?: number
}

/** A whole visit. Returns the integrator's result. */
async function come(query: string, { person = 'anna', light = 100 }: Shown = {}) {
  const opened = await openSession(host, verificationId, query)
  const { bearer } = opened
  const scene: Scene = { person, age: light }
  host.pass(30_000)
  const frames = [frameOf(scene, 500), frameOf(scene, 900)]
  let { next } = await host.call(submitStep, { bearer, body: { step: 0, frames } })
  while (next !== null) {
    host.pass(4000)
    const acted = { ...scene, acted: next.action }
    const body = {
      step: next.step,
      frames: [frameOf(scene, 1500), frameOf(acted, 3000)],
    }
    next = (await host.call(submitStep, { bearer, body })).next
  }
  const last = [{ ...frameOf(scene, 5500), challengeStep: 1 }]
  const submitted = await host.call(submitSession, {
    bearer,
    body: { frames: last, consent },
  })
  return { opened, submitted, result: await resultOf(host, opened) }
}

const visits = () =>
  createVisitStore(host.store, createKeyRing(Buffer.alloc(32, 7), 'EU')).list(host.accountId)

describe('findings in get-session-result', () => {
  test('name earlier sessions, and appear in no redirect and no evidence', async () => {
    const first = await come('reExternalId=f-anna', { person: 'f', light: 90 })
    const { submitted, result } = await come('reExternalId=f-bert', { person: 'f', light: 88 })
    const verificationSessionId = first.opened.verificationSessionId
    expect(result.findings).toEqual([
      { kind: 'sameScene', verificationSessionId },
      { kind: 'similarFace', verificationSessionId },
    ])
    expect(result.verificationResult).toBe('Pass')
    expect(submitted.redirectUrl).not.toMatch(/sameScene|similarFace/)
  })

  test('are deleted with the person, along with the stored data', async () => {
    const first = await come('reExternalId=gone', { person: 'g', light: 60 })
    const second = await come('reExternalId=stays', { person: 'g', light: 62 })
    expect(second.result.findings).toHaveLength(2)
    await host.call(deletePerson, { query: { externalId: 'gone' } })
    expect((await resultOf(host, second.opened)).findings).toEqual([])
    const kept = (await visits()).map(({ sessionId }) => sessionId)
    expect(kept).not.toContain(first.opened.verificationSessionId)
    expect(kept).toContain(second.opened.verificationSessionId)
    const third = await come('reExternalId=third', { person: 'g', light: 63 })
    expect(third.result.findings.map(({ verificationSessionId }) => verificationSessionId)).not.toContain(
      first.opened.verificationSessionId,
    )
  })

  test('are empty without consent, and nothing of the visit is stored', async () => {
    const before = (await visits()).length
    const opened = await openSession(host, verificationId)
    const refused = { ...consent, given: false }
    await host.call(submitSession, { bearer: opened.bearer, body: { frames: [], consent: refused } })
    expect((await resultOf(host, opened)).findings).toEqual([])
    expect(await visits()).toHaveLength(before)
  })

  test('are disabled for kiosks: nothing is found, and nothing is stored', async () => {
    await come('', { person: 'anna' })
    const before = (await visits()).length
    const device = await pairDevice(host, verificationId)
    for (let i = 0; i < 2; i++) {
      const { verificationSessionId } = await handIn(host, device, captureOf(device, host.now()))
      const result = await resultOf(host, { verificationSessionId } as never)
      expect(result.findings).toEqual([])
    }
    expect(await visits()).toHaveLength(before)
  })
})
