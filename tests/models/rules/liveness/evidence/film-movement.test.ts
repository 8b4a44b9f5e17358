import { describe, expect, test } from 'vitest'
import { filmedShare, isFilmStill } from '#models/rules/liveness/evidence/film-movement.ts'
import { pointAt } from '../../../../support/drawn/film.ts'
import { frameOf, noon, opening, turning } from '../../../../support/drawn/observations.ts'

const steps = [opening, turning]
const during = turning.answeredAt
/** The frames of a turn: straight, on the way, and turned by this many degrees. */
const frames = (degrees: number, receivedAt = during) =>
  [0, 0.5, 1].map((share, i) =>
    frameOf({ step: 1, time: 1000 + i * 600, receivedAt, face: { yaw: degrees * share } }),
  )
/** A film alongside them with six pictures per second, in which the head ends up turned by this many degrees. */
const film = (degrees: number, receivedAt = during) =>
  Array.from({ length: 10 }, (_, i) => {
    const share = Math.min(1, Math.max(0, (i * 166 - 200) / 1000))
    return pointAt(900 + i * 166, { yaw: degrees * share }, receivedAt)
  })
/** One noisy picture. Its pose is slightly off each time. */
const noisy = film(0).map((point, i) => ({
  ...point,
  face: { ...point.face!, pose: { yaw: [1.2, -0.8, 0.4][i % 3]!, pitch: 0, roll: 0 } },
}))

describe('a film beside frames that turn the head', () => {
  test('moves as far as they do', () => {
    const share = filmedShare({ trail: film(25), steps, observations: frames(25) })
    expect(share).toBeGreaterThan(0.8)
    expect(share).toBeLessThan(1.2)
    expect(isFilmStill({ trail: film(25), steps, observations: frames(25) })).toBe(false)
  })

  test.each([
    ['that is one picture', film(0)],
    ['that is one picture with noise', noisy],
    ['that turns the other way', film(-25)],
  ])('%s stays still', (_what, trail) => {
    expect(isFilmStill({ trail, steps, observations: frames(25) })).toBe(true)
  })

  test('is held to the turn of every request', () => {
    const observations = [...frames(25), ...frames(25, noon + 5000)]
    expect(isFilmStill({ trail: [...film(25), ...film(25, noon + 5000)], steps, observations })).toBe(false)
    expect(isFilmStill({ trail: [...film(25), ...film(0, noon + 5000)], steps, observations })).toBe(true)
  })

  test('may show a quick turn with the next request, but only if the camera went on', () => {
    const observations = frames(25)
    const straight = film(0).slice(0, 8)
    const turned = (time: number) => pointAt(time, { yaw: 25 }, noon + 5000)
    expect(isFilmStill({ trail: straight, steps, observations })).toBe(true)
    expect(isFilmStill({ trail: [...straight, turned(2228)], steps, observations })).toBe(false)
    expect(isFilmStill({ trail: [...straight, turned(1900)], steps, observations })).toBe(true)
  })

  test('gains nothing by pictures that were held back although they were taken before the last frame', () => {
    const observations = frames(25)
    const straight = film(0).slice(0, 6)
    const turned = (time: number) => pointAt(time, { yaw: 25 }, noon + 5000)
    expect(isFilmStill({ trail: [...straight, turned(2100)], steps, observations })).toBe(true)
    expect(isFilmStill({ trail: [...straight, turned(2250)], steps, observations })).toBe(false)
  })

  test('is not made up for by a film at the same camera times before a step was begun again', () => {
    const begunAt = noon + 3000
    const again = [opening, { ...turning, revealedAt: begunAt }]
    const trail = [...film(25, begunAt - 500), ...film(0)]
    expect(isFilmStill({ trail, steps, observations: frames(25) })).toBe(false)
    expect(isFilmStill({ trail, steps: again, observations: frames(25) })).toBe(true)
  })

  test('may look up as well', () => {
    const up = frames(0).map((frame, i) => ({
      ...frame,
      face: { ...frame.face!, pose: { yaw: 0, pitch: 12 * i, roll: 0 } },
    }))
    expect(isFilmStill({ trail: film(0), steps, observations: up })).toBe(true)
  })

  test.each([
    ['they hardly turn', film(0), frames(10)],
    ['it shows no face at that time', film(0).slice(0, 3), frames(20)],
    ['it shows no face', [pointAt(1000, { faceless: true }, during)], frames(25)],
    ['there is none', [], frames(25)],
    ['they show nobody', film(0), frames(25).map((frame) => ({ ...frame, face: null }))],
  ])('says nothing if %s', (_what, trail, observations) => {
    expect(filmedShare({ trail, steps, observations })).toBeUndefined()
    expect(isFilmStill({ trail, steps, observations })).toBe(false)
  })
})
