import { expect, test } from 'vitest'
import type { Cue, CueAnswer, CueName } from '#models/rules/liveness/evidence/cue.ts'
import { isRefusedByCues, mayRefuse } from '#models/rules/liveness/evidence/refusal.ts'

const only = (allowed: CueName) =>
  Object.fromEntries((['light', 'rim', 'cuts'] as const).map((name) => [name, name === allowed])) as Record<
    CueName,
    boolean
  >
const cue = (name: CueName, answer: CueAnswer): Cue => ({ name, answer, value: 1 })

test.each<[string, Cue[], boolean]>([
  ['the broken cue that may', [cue('light', 'broken')], true],
  ['a broken cue that may not', [cue('rim', 'broken')], false],
  ['a broken one beside those that held', [cue('cuts', 'held'), cue('light', 'broken')], true],
  ['one that held', [cue('light', 'held')], false],
  ['one that cannot tell', [cue('light', 'cannotTell')], false],
  ['none', [], false],
])('%s refuses: %#', (_, cues, refused) => {
  expect(isRefusedByCues(cues, only('light'))).toBe(refused)
})

test('cues that were measured on twenty people or more may refuse; cuts, which cameras cause too, may not', () => {
  expect(mayRefuse).toEqual({ light: true, rim: true, cuts: false, perspective: false })
})
