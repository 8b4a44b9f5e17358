import { describe, expect, test } from 'vitest'
import { darkSurround } from '#models/measures/screen.ts'
import { Picture } from '#models/picture/picture.ts'
import { judgeLiveness } from '#models/rules/liveness/picture-liveness.ts'
import { grey } from '../../support/drawn/frames.ts'

const face = { x: 100, y: 80, width: 60, height: 60 }
const quality = { sharpness: 50, meanLuminance: 120, spread: 90, clipped: 0, backgroundRatio: 1 }
const around = { x: 40, y: 20, width: 180, height: 180 }
const inFace = (x: number, y: number) => x >= 100 && x < 160 && y >= 80 && y < 140
const lit = (light: (x: number, y: number) => number) =>
  new Picture(grey(300, 240, (x, y) => (inFace(x, y) ? 150 : light(x, y))))

describe('the dark surroundings of a face', () => {
  test.each([
    ['an even room', () => 120, 0],
    ['a black room', () => 5, 1],
    ['a black frame on the left half', (x: number) => (x < 130 ? 10 : 150), 0.5],
    ['a room at a third of its light', () => 51, 0],
  ])('of %s are a share of them', (_, light, share) => {
    expect(darkSurround(lit(light), face, around)).toBeCloseTo(share, 1)
  })

  test('are zero if the face fills the picture', () => {
    expect(
      darkSurround(
        lit(() => 5),
        face,
        face,
      ),
    ).toBe(0)
  })
})

describe('the type of a spoof', () => {
  const typeOf = (share?: number) =>
    judgeLiveness({
      quality,
      live: { raw: 0, blurred: 0, ...(share !== undefined && { darkSurround: share }) },
    }).spoofType

  test('is a video if a screen is visible', () => {
    expect(typeOf(0.5)).toBe('video')
  })

  test.each([0, 0.1, undefined])('is a photo among surroundings that are dark by %s', (share) => {
    expect(typeOf(share)).toBe('photo')
  })

  test('is undefined for a living face in the dark', () => {
    expect(judgeLiveness({ quality, live: { raw: 1, blurred: 1, darkSurround: 1 } })).toMatchObject({
      isLive: true,
      spoofType: null,
    })
  })
})
