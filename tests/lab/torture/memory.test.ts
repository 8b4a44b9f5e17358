import { expect, test } from 'vitest'
import { grownIn, type MemoryCount, stayedFlat } from '#lab/torture/memory.ts'

const after = (residentMiB: number, heldMiB: number): MemoryCount => ({ of: 1, residentMiB, heldMiB })
/** Four quarters with two counts each, and one count before that. */
const counts = (resident: readonly number[], held: readonly number[]) => [
  after(0, 0),
  ...resident.flatMap((mebibytes, i) => [after(mebibytes, held[i]!), after(mebibytes, held[i]!)]),
]

test('growth in the first quarter is accepted', () => {
  expect(grownIn(counts([10, 300, 310, 305], [5, 40, 41, 40]))).toEqual({
    residentGrownMiB: 5,
    heldGrownMiB: 0,
  })
})

test.each([
  ['full', [300, 300, 332, 332], [40, 40, 48, 48], true],
  ['full', [300, 300, 333, 333], [40, 40, 40, 40], false],
  ['full', [300, 300, 300, 300], [40, 40, 49, 49], false],
  ['short', [300, 300, 316, 316], [40, 40, 41, 41], true],
  ['short', [300, 300, 317, 317], [40, 40, 40, 40], false],
  ['short', [300, 300, 300, 300], [40, 40, 42, 42], false],
] as const)('%s: resident %j and held %j: stayed flat is %s', (form, resident, held, flat) => {
  expect(stayedFlat(counts(resident, held), form)).toBe(flat)
})
