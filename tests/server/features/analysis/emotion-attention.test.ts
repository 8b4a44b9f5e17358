import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { detectEmotionAttention } from '#shared/contract/analysis/emotion-attention.ts'
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

const see = (scene: Scene) => host.call(detectEmotionAttention, { body: { image: bytesOf(fakeJpeg(scene)) } })
const untold = { confusion: null, contempt: null, empathy: null }

describe('POST /v1/emotion-attention/detect', () => {
  test('answers that there is no face, and nothing else', async () => {
    expect(await see({ person: null })).toEqual({
      emotionsAttention: {
        hasFace: false,
        presence: null,
        eyesOnScreen: null,
        attention: null,
        disgust: null,
        happy: null,
        surprise: null,
        ...untold,
      },
      landmarks: {
        scale: 0,
        translate: { x: 0, y: 0 },
        roll: 0,
        yaw: 0,
        pitch: 0,
        landmarks2D: null,
        landmarks3D: null,
        isGood: false,
      },
    })
  })

  test('describes the expression of a face, with null for unreliable values', async () => {
    const { emotionsAttention, landmarks } = await see({ person: 'anna', happy: 0.9 })
    expect(emotionsAttention).toEqual({
      hasFace: true,
      presence: true,
      eyesOnScreen: true,
      attention: true,
      happy: true,
      surprise: false,
      disgust: false,
      ...untold,
    })
    expect(landmarks.isGood).toBe(true)
    expect(landmarks.landmarks2D).toHaveLength(49)
    expect(landmarks.landmarks3D).toHaveLength(49)
    expect(landmarks.scale).toBeCloseTo(12, 3)
  })

  test('sees the smile of the astronaut, who looks at the camera', async () => {
    const image = bytesOf(astronaut)
    const { emotionsAttention, landmarks } = await real.call(detectEmotionAttention, { body: { image } })
    expect(emotionsAttention).toMatchObject({
      hasFace: true,
      presence: true,
      eyesOnScreen: true,
      attention: true,
      happy: true,
      surprise: false,
      disgust: false,
    })
    expect(landmarks.isGood).toBe(true)
    for (const { x, y } of landmarks.landmarks2D!) {
      expect(Math.abs(x - landmarks.translate.x)).toBeLessThan(60)
      expect(Math.abs(y - landmarks.translate.y)).toBeLessThan(70)
    }
  })

  test.skipIf(!hasSharedData)(
    `is right about posed smiles and surprise, nine times out of ten${needsSharedData}`,
    async () => {
      const rows = readTable('emotion', 'ckplus', 'labels.csv')
      for (const [emotion, signal] of [
        ['happy', 'happy'],
        ['surprise', 'surprise'],
      ] as const) {
        for (const shown of [true, false]) {
          const chosen = rows.filter((row) => (row.emotion === emotion) === shown)
          let right = 0
          for (const { file } of spreadOver(chosen, 15)) {
            const image = bytesOf(readShared('emotion', 'ckplus', file!))
            const { emotionsAttention } = await real.call(detectEmotionAttention, { body: { image } })
            if (emotionsAttention[signal] === shown) right++
          }
          expect(right).toBeGreaterThanOrEqual(13)
        }
      }
    },
  )
})
