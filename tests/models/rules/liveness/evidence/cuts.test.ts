import { describe, expect, test } from 'vitest'
import { cuts, frameLimits, jumpLimits } from '#models/rules/liveness/evidence/cuts.ts'
import type { TrailPoint } from '#models/rules/liveness/evidence/trail.ts'
import type { Observation } from '#models/rules/observation.ts'
import { box, type Drawn, filmOf, turnTo } from '../../../../support/drawn/film.ts'
import { faceOf, frameOf, noon } from '../../../../support/drawn/observations.ts'

const receivedAt = noon + 10_000
const steps = [{ revealedAt: noon, answeredAt: receivedAt }]

/** A frame from that visit, seen in the middle of the picture. */
function frame(time: number, yaw = 0, x = box.x): Observation {
  const size = { width: 640, height: 480 }
  const drawn = { x: x * 640, y: box.y * 480, width: box.width * 640, height: box.height * 480 }
  const face = { ...faceOf(), box: drawn, pose: { yaw, pitch: 0, roll: 0 } }
  return { ...frameOf(), ...size, time, receivedAt, luminance: 120, face }
}

const answerOf = (trail: readonly TrailPoint[], observations: readonly Observation[] = [frame(300)]) =>
  cuts({ trail, steps, observations })
const straight: Drawn[] = Array(6).fill({})

describe('cuts', () => {
  test('holds if the head turns and comes back', () => {
    expect(answerOf(filmOf(turnTo(25)))).toMatchObject({ name: 'cuts', answer: 'held' })
  })

  test('holds on a phone with three pictures per second', () => {
    const slow = filmOf(turnTo(20).flatMap((one) => [one, one])).filter((_, i) => i % 2 === 0)
    expect(answerOf(slow).answer).toBe('held')
  })

  test('holds if the camera adjusts its exposure, or follows the face', () => {
    const brighter = turnTo(25).map((one, i) => ({
      ...one,
      luminance: 120 * 1.05 ** i,
      place: Array(46).fill(60 * 1.05 ** i),
      x: box.x + i * 0.01,
    }))
    expect(answerOf(filmOf(brighter), []).answer).not.toBe('broken')
    expect(answerOf(filmOf(brighter), [frame(300, 0, box.x + 0.02)]).answer).toBe('held')
  })

  test('cannot tell without a film, without movement, or with a gap in it', () => {
    expect(answerOf([])).toEqual({ name: 'cuts', answer: 'cannotTell', value: null })
    expect(answerOf(filmOf(straight)).answer).toBe('cannotTell')
    const late = filmOf(turnTo(25)).map((point, i) => (i > 1 ? { ...point, time: point.time + 1100 } : point))
    expect(answerOf(late).answer).toBe('cannotTell')
  })

  test('cannot tell for frames on both sides of a movement, and never during it', () => {
    expect(answerOf(filmOf([...straight, ...Array(6).fill({ yaw: 15 }), ...straight])).answer).toBe(
      'cannotTell',
    )
  })

  test('cannot tell if the face is away for long, or a frame is not on the film', () => {
    const away = turnTo(25).map((one, i) => (i > 8 ? { ...one, faceless: true } : one))
    expect(answerOf(filmOf(away)).answer).toBe('cannotTell')
    expect(answerOf(filmOf(turnTo(25)), [frame(6000)]).answer).toBe('cannotTell')
  })

  const jumpOf = (drawn: Drawn) => answerOf(filmOf([...turnTo(25), ...Array(6).fill(drawn)]))
  test.each([
    ['place in the picture', (share: number) => ({ x: box.x + share * jumpLimits.shift * box.width })],
    ['size', (share: number) => sized(Math.exp(share * jumpLimits.size))],
    ['light', (share: number) => ({ luminance: 120 * Math.exp(share * jumpLimits.light) })],
    ['pose', (share: number) => ({ yaw: share * jumpLimits.pose })],
  ])('a jump of the %s is broken beyond twice what any living person did', (_name, drawn) => {
    expect(jumpOf(drawn(0.95)).answer).toBe('held')
    expect(jumpOf(drawn(1.9)).answer).toBe('cannotTell')
    expect(jumpOf(drawn(2.1)).answer).toBe('broken')
  })

  test('is broken by a place that changes abruptly', () => {
    const other = Array.from({ length: 46 }, (_, i) => (i % 2) * 200)
    expect(jumpOf({ place: other }).answer).toBe('broken')
  })

  test('is broken by a frame that differs from the film at that time', () => {
    const film = filmOf(turnTo(25))
    expect(answerOf(film, [frame(300, frameLimits.pose * 0.9)]).answer).toBe('held')
    expect(answerOf(film, [frame(100, frameLimits.pose * 2.1)]).answer).toBe('broken')
    expect(answerOf(film, [frame(100, 0, box.x + 0.12)]).answer).toBe('broken')
  })
})

/** A face that has grown around its centre. */
function sized(ratio: number): Drawn {
  const width = box.width * ratio
  return { width, x: box.x + (box.width - width) / 2 }
}
