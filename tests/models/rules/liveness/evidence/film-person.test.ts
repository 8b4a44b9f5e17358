import { describe, expect, test } from 'vitest'
import { filmedPerson } from '#models/rules/liveness/evidence/film-person.ts'
import { type Drawn, pointAt } from '../../../../support/drawn/film.ts'
import { noon, opening, personOf, resembling, turning } from '../../../../support/drawn/observations.ts'

const anna = personOf(0)
const like = (cosine: number) => resembling(anna, cosine)
const requests = [noon + 500, noon + 3500, noon + 5000] as const

/** Six pictures per second from three requests. The first three in each request were drawn and show these faces. */
const filmOf = (...drawn: readonly (readonly Drawn[])[]) =>
  requests.flatMap((receivedAt, request) =>
    Array.from({ length: 9 }, (_, i) =>
      pointAt(request * 2000 + i * 166, drawn[request]?.[i] ?? {}, receivedAt),
    ),
  )
const thrice = (embedding: readonly number[], rest: Drawn = {}) => Array(3).fill({ embedding, ...rest })
const said = (trail: ReturnType<typeof filmOf>, portrait: readonly number[] | null = anna) =>
  filmedPerson({ trail, steps: [opening, turning], neutral: { yaw: 5, pitch: 0 }, portrait })

describe('a film', () => {
  test.each([
    [0.34, 'same'],
    [0.33, 'unsure'],
    [0.21, 'unsure'],
    [0.19, 'other'],
    [-0.2, 'other'],
  ])('whose faces have the cosine %d with the portrait shows: %s', (cosine, person) => {
    expect(said(filmOf(...Array(3).fill(thrice(like(cosine)))))).toBe(person)
  })

  test('is judged by the mean of its faces, which says more than each', () => {
    const noisy = [1, 2, 3].map((axis) => ({
      embedding: anna.map((value, i) => 0.3 * value + Math.sqrt(0.91) * personOf(axis)[i]!),
    }))
    expect(said(filmOf(noisy, noisy, noisy))).toBe('same')
    expect(said(filmOf([noisy[0]!, noisy[0]!, noisy[0]!]))).toBe('unsure')
  })

  test('that shows another person in one request is not the person’s', () => {
    expect(said(filmOf(thrice(anna), thrice(anna), thrice(anna)))).toBe('same')
    expect(said(filmOf(thrice(anna), thrice(like(0.1)), thrice(anna)))).toBe('other')
  })

  test('that shows another person before a step was begun again is not the person’s', () => {
    const [start, during] = requests
    const begunAt = noon + 3000
    const swapped = [
      ...[0, 1, 2].map((i) => pointAt(i * 166, { embedding: anna }, start)),
      ...[0, 1].map((i) => pointAt(2000 + i * 166, { embedding: personOf(1) }, begunAt - 500)),
      ...[0, 1, 2, 3].map((i) => pointAt(5000 + i * 166, { embedding: anna }, during)),
    ]
    const given = { trail: swapped, neutral: { yaw: 0, pitch: 0 }, portrait: anna }
    const again = { ...turning, revealedAt: begunAt }
    expect(filmedPerson({ ...given, steps: [opening, turning] })).toBe('same')
    expect(filmedPerson({ ...given, steps: [opening, again] })).toBe('other')
  })

  test('with a single strange face among others leaves it at what all say', () => {
    expect(said(filmOf(thrice(anna), [{ embedding: like(0.1) }], thrice(anna)))).toBe('same')
  })

  test.each([
    ['with two faces', filmOf([{ embedding: anna }, { embedding: anna }])],
    ['with two strange faces', filmOf([{ embedding: personOf(1) }, { embedding: personOf(1) }])],
    ['without any', filmOf()],
    ['without any that could be seen', filmOf([{ faceless: true }])],
    ['whose faces are turned too far', filmOf(thrice(personOf(1), { yaw: -26 }))],
  ])('%s says nothing', (_what, trail) => {
    expect(said(trail)).toBe('unsure')
  })

  test('of faces that are turned a little less is compared', () => {
    expect(said(filmOf(thrice(personOf(1), { yaw: -24 })))).toBe('other')
  })

  test('of a slow device needs two faces', () => {
    const slow = [0, 1000, 2000, 3000].map((time, i) =>
      pointAt(time, i < 2 ? { embedding: anna } : {}, requests[0]),
    )
    expect(said(slow)).toBe('same')
  })

  test('beside no portrait says nothing', () => {
    expect(said(filmOf(thrice(personOf(1))), null)).toBe('unsure')
  })

  test('is compared with the first of two joined embeddings', () => {
    const joined = [...anna, ...personOf(3)].map((value) => value * Math.SQRT1_2)
    expect(said(filmOf(...Array(3).fill(thrice(like(0.34)))), joined)).toBe('same')
    expect(said(filmOf(...Array(3).fill(thrice(like(0.33)))), joined)).toBe('unsure')
  })

  test('with faces of dlib refuses nobody, and counts for standard from the limit of frames', () => {
    const wide = (person: readonly number[]) => [...person, ...Array(120).fill(0)]
    const film = (cosine: number) => filmOf(...Array(3).fill(thrice(wide(like(cosine)))))
    expect(said(film(0.95), wide(anna))).toBe('same')
    expect(said(film(0.92), wide(anna))).toBe('unsure')
    expect(said(film(0.1), wide(anna))).toBe('unsure')
  })
})
