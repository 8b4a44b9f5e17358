import { describe, expect, test } from 'vitest'
import { filmDistance, isSameFilm, sameFilmLimits } from '#models/rules/liveness/earlier/same-film.ts'
import { turning } from '../../../../support/drawn/visits.ts'

const film = turning()

describe('the same film', () => {
  test('is itself, whole, in part, and in another order', () => {
    expect(isSameFilm(film, film)).toBe(true)
    expect(isSameFilm(film.slice(20), film)).toBe(true)
    expect(isSameFilm(film, film.slice(20))).toBe(true)
    const later = film.slice(0, 27).map((moment) => ({ ...moment, time: moment.time + 60_000 }))
    expect(isSameFilm([...film.slice(27), ...later], film)).toBe(true)
  })

  test('is itself where its pictures were taken between those of the other', () => {
    const between = turning(30, 2, (moment) => {
      const time = moment.time + 83
      const yaw = 15 * (1 - Math.cos((time / 2000) * 2 * Math.PI))
      return { time, yaw, x: 0.5 - yaw / 1000 }
    })
    expect(isSameFilm(between, film)).toBe(true)
  })

  test.each([
    [0.09, true],
    [0.11, false],
  ])('allows a share of %d of the movement: %s', (share, same) => {
    // Nine pictures of a piece: the sign changes with each, so that no other place fits better.
    const shaken = turning(30, 2, ({ time, roll }) => ({
      roll: roll + share * 30 * (Math.round((time * 6) / 1000) % 2 ? 1 : -1),
    }))
    expect(isSameFilm(shaken, film)).toBe(same)
  })

  test.each([
    [0.035, true],
    [0.045, false],
  ])('allows %d widths of the face beside the trail: %s', (widths, same) => {
    expect(
      isSameFilm(
        turning(30, 2, ({ y, width }) => ({ y: y + widths * width })),
        film,
      ),
    ).toBe(same)
  })

  test.each([
    ['a smaller turn', turning(22)],
    ['a quicker one', turning(30, 1.4)],
    ['a turn to the other side', turning(-30)],
    ['a face of another size', turning(30, 2, () => ({ width: 0.33 }))],
  ])('is not %s', (_, second) => {
    expect(isSameFilm(second, film)).toBe(false)
  })

  test('is not told of a head that hardly moves, nor by one piece', () => {
    expect(filmDistance(turning(7.9), turning(7.9))).toBeUndefined()
    expect(filmDistance(turning(8.5), turning(8.5))).toBeDefined()
    expect(filmDistance(film.slice(0, 11), film)).toBeUndefined()
    expect(isSameFilm([], film)).toBe(false)
    expect(isSameFilm(film, [])).toBe(false)
  })

  test('has no pictures farther apart than half a second', () => {
    const slow = film.filter((_, i) => i % 4 === 0)
    expect(filmDistance(slow, slow)).toBeUndefined()
  })

  test('has limits of half of what living people do: docs/liveness.md', () => {
    expect(sameFilmLimits).toEqual({ poses: 0.1, trail: 0.04 })
  })
})
