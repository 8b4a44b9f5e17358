import { describe, expect, test } from 'vitest'
import { neutralOf } from '#models/rules/face/neutral-face.ts'
import { clipIsLiveFrom } from '#models/rules/liveness/liveness-fusion.ts'
import {
  findingsOf,
  type LivenessEvidence,
  passiveScoreOf,
  reasonsOf,
} from '#models/rules/liveness/session-liveness.ts'
import type { Observation } from '#models/rules/observation.ts'
import { frameOf, opening, turning } from '../../../support/drawn/observations.ts'

let pictures = 0
const straight = (rest: Parameters<typeof frameOf>[0] = {}) =>
  frameOf({ digest: `picture ${++pictures}`, receivedAt: opening.answeredAt, ...rest })
const turned = () => straight({ step: 1, receivedAt: turning.answeredAt, face: { yaw: 25 } })
const afterwards = (rest: Parameters<typeof frameOf>[0] = {}) =>
  straight({ step: 1, receivedAt: turning.answeredAt + 1000, ...rest })
const honest = () => [straight(), straight(), straight(), turned(), turned(), afterwards()]

const found = (changes: Partial<LivenessEvidence> = {}) => {
  const observations = changes.observations ?? honest()
  const frontal = observations.filter(({ face }) => face !== null && Math.abs(face.pose.yaw) < 10)
  const neutral = neutralOf(observations.filter(({ step }) => step === 0))
  return findingsOf({
    actionCount: 1,
    steps: [opening, turning],
    observations,
    frontal,
    neutral,
    cues: [],
    portrait: null,
    demanded: undefined,
    ...changes,
  })
}
const each = (change: (frame: Observation, i: number) => Partial<Observation>) =>
  honest().map((frame, i) => ({ ...frame, ...change(frame, i) }))
const rim = (seed: number) =>
  Array.from({ length: 46 }, (_, i) => 120 + 60 * Math.sin(i * 0.37 * seed + seed))

describe('findingsOf', () => {
  test('are empty for an honest session', () => {
    expect(found()).toEqual([])
  })

  test.each([
    ['pictureReused', each((_, i) => (i === 2 ? { reused: 'same' } : {}))],
    ['sceneReused', each((_, i) => (i < 3 ? { reused: 'similar' } : {}))],
    ['severalPlaces', each((_, i) => ({ rim: rim(i === 5 ? 4 : 1) }))],
    ['picturesRepeated', each(() => ({ digest: 'the one picture' }))],
    ['timesImpossible', each((_, i) => ({ time: i === 1 ? 500 : 1000 }))],
    ['movedBefore', [...honest(), straight({ face: { yaw: 25 } })]],
    ['movedAfter', [...honest(), afterwards({ face: { pitch: 20 } })]],
  ] as const)('are only %s if nothing else is wrong', (finding, observations) => {
    expect(found({ observations })).toEqual([finding])
  })

  test('are picturesRepeated if half of them were in an earlier try', () => {
    const observations = honest()
    const earlier = (count: number) => observations.slice(0, count).map(({ digest }) => digest)
    expect(found({ observations, earlier: earlier(2) })).toEqual([])
    expect(found({ observations, earlier: earlier(3) })).toEqual(['picturesRepeated'])
  })

  test('are passiveScoreLow if the frontal frames do not look live', () => {
    const dull = { live: { raw: clipIsLiveFrom - 0.01, blurred: clipIsLiveFrom - 0.01 } }
    expect(found({ frontal: [straight({ face: dull })] })).toEqual(['passiveScoreLow'])
    expect(found({ frontal: [] })).toEqual([])
  })

  test('are actionsMissing if a requested action was not performed', () => {
    expect(found({ steps: [opening, { ...turning, accepted: false, reason: 'late' }] })).toEqual([
      'actionsMissing',
    ])
  })

  test('omit none because of another', () => {
    const observations = each((_, i) => ({ reused: 'same', digest: 'one', rim: rim(i === 5 ? 4 : 1) }))
    expect(found({ observations, actionCount: 2 })).toEqual([
      'pictureReused',
      'sceneReused',
      'severalPlaces',
      'picturesRepeated',
      'actionsMissing',
    ])
  })

  test('ignore liveness if no face was seen', () => {
    const nobody = each(() => ({ face: null, reused: 'same' }))
    expect(found({ observations: nobody, actionCount: 2 })).toEqual(['actionsMissing'])
  })

  test('let the head move in a verification without actions', () => {
    const observations = [...honest(), straight({ face: { yaw: 25 } })]
    expect(found({ observations, actionCount: 0, steps: [opening] })).toEqual([])
  })
})

describe('reasonsOf', () => {
  test('list each reason of the interface once', () => {
    expect(reasonsOf(['passiveScoreLow', 'severalPlaces'])).toEqual(['livenessFailed'])
    expect(reasonsOf(['pictureReused', 'movedAfter', 'movedBefore'])).toEqual([
      'livenessFailed',
      'challengeFailed',
    ])
    expect(reasonsOf([])).toEqual([])
  })
})

test('passiveScoreOf is undefined without a frontal frame', () => {
  expect(passiveScoreOf([])).toBeUndefined()
  expect(passiveScoreOf([straight({ face: { live: null } })])).toBeCloseTo(0, 2)
})
