import { describe, expect, test } from 'vitest'
import { type FrameFace, fairLimits, isFair, straightPose } from '#models/rules/fair-frame.ts'
import { liveLimits } from '#models/rules/liveness/live-limits.ts'
import { clipIsLiveFrom, fuseLiveness, isLiveRecording } from '#models/rules/liveness/liveness-fusion.ts'

const face = (
  yaw: number,
  pitch = 0,
  over: { sharpness?: number; width?: number; noise?: number } = {},
): FrameFace => ({
  live: over.noise === undefined ? null : { noise: over.noise },
  pose: { yaw, pitch, roll: 0 },
  box: { x: 0, y: 0, width: over.width ?? 200, height: 200 },
  quality: {
    sharpness: over.sharpness ?? 50,
    meanLuminance: 120,
    spread: 90,
    clipped: 0,
    backgroundRatio: 1,
  },
})

describe('the score of a recording', () => {
  test.each([
    [[], undefined],
    [[0.7], 0.7],
    [[0.9, 0.1], 0.5],
    [[0.8, 0.8, 0.8], 0.8],
    // The logits of 0.9 and 0.3 are 2.197 and -0.847, with a mean of 0.675.
    [[0.9, 0.3], 0.6626],
  ])('of frames that score %j is %d', (scores, expected) => {
    const fused = fuseLiveness(scores)
    if (expected === undefined) expect(fused).toBeUndefined()
    else expect(fused).toBeCloseTo(expected)
  })

  test('does not depend on one frame’s certainty', () => {
    expect(fuseLiveness([1, 0.2, 0.2, 0.2])!).toBeLessThan(clipIsLiveFrom)
    expect(fuseLiveness([0, ...Array.from({ length: 9 }, () => 0.99)])!).toBeGreaterThan(clipIsLiveFrom)
  })
})

describe('the limit of a recording', () => {
  test('is that of the networks that judged it', () => {
    const limit = liveLimits().clip
    expect(isLiveRecording(limit, [{}, null])).toBe(true)
    expect(isLiveRecording(limit - 0.001, [{}])).toBe(false)
    const both = liveLimits({ second: { raw: 1 } }).clip
    expect(isLiveRecording(Math.max(limit, both), [{}, { second: { raw: 1 } }])).toBe(true)
    expect(isLiveRecording(Math.max(limit, both) - 0.001, [{}, { second: { raw: 1 } }])).toBe(false)
  })
})

describe('the straight look', () => {
  test('is the median of the nearly straight frames', () => {
    expect(straightPose([face(-40), face(2, 3), face(4, 5), face(6, 30), face(60)])).toEqual({
      yaw: 4,
      pitch: 5,
    })
  })

  test('is unknown if every frame is turned', () => {
    expect(straightPose([face(-40), face(40)])).toBeUndefined()
  })
})

describe('a usable frame', () => {
  const straight = { yaw: 3, pitch: -2 }

  test.each([
    ['straight', face(3, -2), true],
    ['turned within the limit', face(3 + fairLimits.yawDegrees, -2), true],
    ['turned beyond it', face(3.1 + fairLimits.yawDegrees, -2), false],
    ['looking up', face(3, -1.9 + fairLimits.pitchDegrees), false],
    ['blurred', face(3, -2, { sharpness: fairLimits.sharpness - 1 }), false],
    ['small', face(3, -2, { width: fairLimits.faceWidthInPixels - 1 }), false],
    ['as noisy as may be', face(3, -2, { noise: fairLimits.noise }), true],
    ['too noisy', face(3, -2, { noise: fairLimits.noise + 0.01 }), false],
  ])('is one that is %s: %j', (_, one, expected) => {
    expect(isFair(one, straight)).toBe(expected)
  })
})
