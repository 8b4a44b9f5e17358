import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeLiveness, pictureIsLiveFrom } from '#models/rules/liveness/picture-liveness.ts'
import { detectLiveness } from '#shared/contract/analysis/liveness.ts'
import { fakeJpeg, type Scene } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { openRealAnalysis } from '../../../support/real-analysis.ts'
import {
  hasSharedData,
  needsSharedData,
  readShared,
  readTable,
  spreadOver,
} from '../../../support/shared-data.ts'
import { astronaut, bytesOf } from '../../../support/upload.ts'

let host: Host
let real: Host
beforeAll(async () => {
  host = await startHost()
  real = await startHost({ ports: { analysis: await openRealAnalysis() } })
})
afterAll(() => Promise.all([host.close(), real.close()]))

const see = (scene: Scene) => host.call(detectLiveness, { body: { image: bytesOf(fakeJpeg(scene)) } })

describe('POST /v1/liveness-detection/detect', () => {
  test('is undecided for a picture without a face', async () => {
    expect(await see({ person: null })).toEqual({ isLive: false, confidence: 0, spoofType: null, face: null })
  })

  test('returns a live face with its confidence and no type of spoof', async () => {
    const answer = await see({ person: 'anna', live: 0.875 })
    expect(answer).toMatchObject({ isLive: true, spoofType: null })
    expect(answer.confidence).toBeGreaterThan(0.8)
    expect(answer.face!.confidence).toBeCloseTo(0.93)
  })

  test('returns a spoof with its confidence and its most likely type', async () => {
    const answer = await see({ person: 'anna', live: 0.0625 })
    expect(answer).toMatchObject({ isLive: false, spoofType: 'photo' })
    expect(answer.confidence).toBeGreaterThan(0.8)
  })

  test('accepts a bearer too', async () => {
    const { token } = await host.services.tokenService.getToken({
      query: { expirationInSeconds: 60 },
      caller: await caller(),
    } as never)
    const body = { image: bytesOf(fakeJpeg({ person: 'anna' })) }
    expect((await host.call(detectLiveness, { body, bearer: token })).isLive).toBe(true)
  })

  test('calls the astronaut live', async () => {
    const answer = await real.call(detectLiveness, { body: { image: bytesOf(astronaut) } })
    expect(answer).toMatchObject({ isLive: true, spoofType: null })
    expect(answer.confidence).toBeGreaterThan(0.8)
  })

  test.skipIf(!hasSharedData)(`tells people from printed photographs of them${needsSharedData}`, async () => {
    for (const label of ['live', 'spoof']) {
      const rows = readTable('liveness', 'nuaa', 'labels.csv').filter((row) => row.label === label)
      let right = 0
      for (const { file } of spreadOver(rows, 20)) {
        const image = bytesOf(readShared('liveness', 'nuaa', file!))
        const { isLive, spoofType } = await real.call(detectLiveness, { body: { image } })
        if (isLive === (label === 'live')) right++
        expect(spoofType === null).toBe(isLive)
      }
      expect(right).toBeGreaterThanOrEqual(19)
    }
  })
})

describe('the judgement', () => {
  const [limit, beyond] = [pictureIsLiveFrom, 0.01]
  const quality = { sharpness: 50, meanLuminance: 120, spread: 90, clipped: 0, backgroundRatio: 1 }

  test.each([
    [{ raw: limit, blurred: limit }, true, 0.5],
    [{ raw: limit - beyond, blurred: limit - beyond }, false, 0.5],
    [{ raw: 1, blurred: 1 }, true, 1],
    [{ raw: 0, blurred: 0 }, false, 1],
    [{ raw: 1, blurred: 0 }, false, 1],
    [{ raw: 1, blurred: 1, near: { raw: 0, blurred: 0 } }, true, 0.5 + (0.5 * (0.5 - limit)) / (1 - limit)],
    [{ raw: 0, blurred: 0, near: { raw: 1, blurred: 1 } }, true, 0.5 + (0.5 * (0.5 - limit)) / (1 - limit)],
    [undefined, false, 1],
  ])('of %j is live: %j', (live, isLive, confidence) => {
    const judged = judgeLiveness({ quality, ...(live !== undefined && { live }) })
    expect(judged).toEqual({
      isLive,
      confidence: expect.closeTo(confidence, 1),
      spoofType: isLive ? null : 'photo',
    })
  })
})

test('a blurred picture must look more alive', () => {
  const live = { raw: 0.6, blurred: 0.6, near: { raw: 1, blurred: 1 } }
  const quality = { sharpness: 10, meanLuminance: 120, spread: 90, clipped: 0, backgroundRatio: 1 }
  expect(judgeLiveness({ quality, live }).isLive).toBe(false)
  expect(judgeLiveness({ quality: { ...quality, sharpness: 50 }, live }).isLive).toBe(true)
  expect(judgeLiveness({ quality, live: { raw: 0.95, blurred: 0.95 } }).isLive).toBe(true)
})

async function caller() {
  const { apiKey, accountId } = host
  const key = (await host.services.accounts.keys.authenticate(apiKey))!
  return { kind: 'account', accountId, keyId: key.keyId, scopes: key.scopes, via: 'key' }
}
