import { describe, expect, test } from 'vitest'
import { sample } from '#lab/attacks/sample.ts'

describe('the sample of attacks', () => {
  test.each([
    ['the first script without a film', 'bent', 'Balanced', 'none', 20],
    ['and with one', 'bent', 'Balanced', 'own', 20],
    ['and at the harder challenge', 'bent', 'Advanced', 'none', 10],
    ['a turn that is dodged without a film', 'dodge', 'Balanced', 'none', 12],
    ['and with one', 'dodge', 'Balanced', 'own', 12],
    ['the head as a layer', 'layers', 'Balanced', undefined, 12],
  ] as const)('has %s', (_, instrument, challenge, film, people) => {
    const part = sample.find(
      ({ instruments, methods, challenges, ...one }) =>
        instruments.includes(instrument) &&
        methods.includes('script') &&
        challenges.includes(challenge) &&
        one.film === film,
    )
    expect(part?.people).toBe(people)
  })

  test('has no combination twice, so that no row is measured in place of another', () => {
    const keys = sample.flatMap(({ instruments, methods, challenges, living, film, asked }) =>
      [...instruments, ...living].map((one) => JSON.stringify([one, methods, challenges, film, asked])),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})
