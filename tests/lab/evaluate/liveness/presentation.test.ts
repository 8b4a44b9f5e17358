import { describe, expect, test } from 'vitest'
import { type Presentation, presentationErrors, rateOf } from '#lab/evaluate/liveness/presentation.ts'

const some = (count: number, attackType: string | undefined, accepted: boolean): Presentation[] =>
  Array.from({ length: count }, () => ({ attackType, accepted }))

describe('the errors of presentations', () => {
  const found = presentationErrors([
    ...some(1, 'photo', true),
    ...some(9, 'photo', false),
    ...some(1, 'video', true),
    ...some(3, 'video', false),
    ...some(2, undefined, false),
    ...some(38, undefined, true),
  ])

  test('are counted by the type of attack', () => {
    expect(Object.fromEntries(found.byType)).toEqual({
      photo: { wrong: 1, of: 10 },
      video: { wrong: 1, of: 4 },
    })
  })

  test('of attacks are those of the worst type', () => {
    expect(found.worst).toEqual({ wrong: 1, of: 4 })
    expect(rateOf(found.worst!)).toBe(0.25)
  })

  test('of living people are the refused ones', () => {
    expect(rateOf(found.bonaFide)).toBe(0.05)
  })

  test('are undefined without attacks', () => {
    expect(presentationErrors(some(3, undefined, true))).toMatchObject({
      worst: undefined,
      bonaFide: { of: 3 },
    })
  })
})
