import { describe, expect, test } from 'vitest'
import { rigidPoints } from '#models/rules/face/pose.ts'
import {
  nearingBetween,
  perspective,
  perspectiveLimits,
} from '#models/rules/liveness/evidence/perspective.ts'
import type { Observation } from '#models/rules/observation.ts'
import { canonical, meshAt } from '../../../../support/drawn/canonical-mesh.ts'
import { frameOf } from '../../../../support/drawn/observations.ts'

const sized = { size: 1.5 }
const boxOf = (width: number) => ({ x: 0, y: 0, width, height: width })
const wall = [10, 240, 30, 200, 90, 160]

/** A head's distance from a camera, in centimetres. */
function headAt(distance: number, more: Partial<Observation> = {}): Observation {
  const points = Float32Array.from(canonical.vertices)
  for (let i = 0; i < points.length; i += 3) {
    const scale = 600 / (distance - points[i + 2]!)
    points[i] = 320 + points[i]! * scale
    points[i + 1] = 240 - points[i + 1]! * scale
  }
  const face = { points: rigidPoints({ points, presence: 1 }), box: boxOf(9000 / distance) }
  return frameOf({ ...more, face })
}

/** A picture of a head, enlarged relative to the first picture. */
const pictureAt = (times: number, more: Partial<Observation> = {}) =>
  frameOf({ ...more, face: { points: rigidPoints(meshAt({})), box: boxOf(150 * times) } })

const answerOf = (...observations: Observation[]) => perspective({ steps: [sized], observations })

describe('the middle of a face', () => {
  test('grows more than its sides when a head comes nearer', () => {
    const nearing = nearingBetween(headAt(60), headAt(40))!
    expect(nearing.ratio).toBeCloseTo(1.5)
    expect(nearing.centre).toBeGreaterThan(0.02)
    expect(nearingBetween(headAt(40), headAt(60))).toEqual(nearing)
    expect(nearingBetween(headAt(60), headAt(30))!.centre).toBeGreaterThan(nearing.centre)
  })

  test('grows like its sides in a picture', () => {
    expect(nearingBetween(pictureAt(1), pictureAt(1.5))!.centre).toBeCloseTo(0)
  })

  test.each([
    [perspectiveLimits.leastRatio - 0.01, false],
    [perspectiveLimits.leastRatio + 0.01, true],
  ])('is compared at a ratio of %f: %j', (ratio, compared) => {
    expect(nearingBetween(pictureAt(1), pictureAt(ratio)) !== undefined).toBe(compared)
  })

  test('is only compared in the same pose', () => {
    const turned = (yaw: number) => frameOf({ face: { box: boxOf(250), pose: { yaw, pitch: 0, roll: 0 } } })
    const rest = frameOf({ face: { box: boxOf(150), pose: { yaw: 0, pitch: 0, roll: 0 } } })
    expect(nearingBetween(rest, turned(perspectiveLimits.mostTurned - 0.1))).toBeDefined()
    expect(nearingBetween(rest, turned(perspectiveLimits.mostTurned + 0.1))).toBeUndefined()
    expect(nearingBetween(rest, frameOf({ face: null }))).toBeUndefined()
  })
})

describe('perspective', () => {
  test('holds for a head that comes nearer', () => {
    const cue = answerOf(headAt(60), headAt(40), headAt(42))
    expect(cue).toMatchObject({ name: 'perspective', answer: 'held' })
    expect(cue.value).toBeGreaterThan(perspectiveLimits.held)
  })

  test('is broken by a picture that comes nearer in front of unchanged surroundings', () => {
    const frames = [1, 1.5, 1.1].map((times) => pictureAt(times, { rim: wall }))
    expect(answerOf(...frames)).toMatchObject({ answer: 'broken' })
  })

  test('cannot tell if the surroundings grew too, as with a zooming camera', () => {
    const zoomed = pictureAt(1.5, { rim: [...wall].reverse() })
    expect(answerOf(pictureAt(1, { rim: wall }), zoomed)).toMatchObject({ answer: 'cannotTell' })
  })

  test('cannot tell if the face did not come nearer, or was not asked to', () => {
    expect(answerOf(headAt(60), headAt(58))).toEqual({
      name: 'perspective',
      answer: 'cannotTell',
      value: null,
    })
    const observations = [headAt(60), headAt(40)]
    expect(perspective({ steps: [{}], observations })).toMatchObject({ answer: 'cannotTell', value: null })
  })
})
