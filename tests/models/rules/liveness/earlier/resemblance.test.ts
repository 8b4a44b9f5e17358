import { describe, expect, test } from 'vitest'
import { toUnit } from '#models/rules/embedding.ts'
import { type EarlierVisit, resemblancesOf } from '#models/rules/liveness/earlier/resemblance.ts'
import { searchThreshold } from '#models/rules/search-threshold.ts'
import { cosineOf } from '#models/rules/similarity.ts'
import { axis, earlier, rimWith, visitBy } from '../../../../support/drawn/visits.ts'

const elsewhere = { scene: { rim: rimWith(-20), luminance: 120 } }
const met = (visit = visitBy(0), others: readonly EarlierVisit[] = [], person: string | null = null) =>
  resemblancesOf({ visit, person }, others)
const kinds = (found: ReturnType<typeof met>) => found.map(({ kind }) => kind)

describe('findings', () => {
  test('are empty without an earlier visit, and for another person elsewhere', () => {
    expect(met()).toEqual([])
    expect(met(visitBy(0), [earlier(visitBy(1, elsewhere))])).toEqual([])
  })

  test.each([
    ['a', 'a', []],
    ['a', 'b', ['similarFace']],
    ['a', null, ['similarFace']],
    [null, 'a', ['similarFace']],
    [null, null, ['similarFace']],
  ])('of a face that comes as %s and came as %s: %j', (now, before, found) => {
    const others = [earlier(visitBy(0, elsewhere), { person: before })]
    expect(kinds(met(visitBy(0), others, now))).toEqual(found)
  })

  test('of the scene are found for any person', () => {
    expect(kinds(met(visitBy(0), [earlier(visitBy(1), { person: 'a' })], 'a'))).toEqual(['sameScene'])
  })

  test.each([1, 20, 200])('require more similarity the more faces were searched: %i', (count) => {
    const limit = cosineOf(searchThreshold(count).score)
    const alike = (cosine: number) => ({
      embedding: Array.from(
        toUnit(axis(0).map((one, i) => one * cosine + (i === 1 ? Math.sqrt(1 - cosine ** 2) : 0))),
      ),
      embeddingModel: 'fr-feature/2' as const,
    })
    const others = Array.from({ length: count - 1 }, () => earlier(visitBy(2, elsewhere)))
    const beside = (cosine: number) => [...others, earlier(visitBy(0, { ...elsewhere, face: alike(cosine) }))]
    expect(kinds(met(visitBy(0), beside(limit + 1e-3)))).toEqual(['similarFace'])
    expect(kinds(met(visitBy(0), beside(limit - 1e-3)))).toEqual([])
  })

  test('compare no faces of two models', () => {
    const face = { embedding: axis(0), embeddingModel: 'dlib-face/2' as const }
    expect(kinds(met(visitBy(0), [earlier(visitBy(0, { ...elsewhere, face }))]))).toEqual([])
    expect(kinds(met(visitBy(0, { face: null }), [earlier(visitBy(0, elsewhere))]))).toEqual([])
  })

  test('name the latest ten of each kind', () => {
    const others = Array.from({ length: 12 }, () => earlier(visitBy(0)))
    const findings = met(visitBy(0), others)
    const latest = others.map(({ sessionId }) => sessionId).reverse()
    expect(findings).toEqual([
      ...latest.slice(0, 10).map((sessionId) => ({ kind: 'sameScene', sessionId })),
      ...latest.slice(0, 10).map((sessionId) => ({ kind: 'similarFace', sessionId })),
    ])
  })
})
