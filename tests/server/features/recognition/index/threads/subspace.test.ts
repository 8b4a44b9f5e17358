import { describe, expect, test } from 'vitest'
import { createArena } from '#server/features/recognition/index/threads/arena.ts'
import { openKernel } from '#server/features/recognition/index/threads/kernel/open-kernel.ts'
import { findSubspace } from '#server/features/recognition/index/threads/subspace.ts'
import { randomNumbers } from '#shared/random-numbers.ts'
import { unit } from '../../../../../support/drawn/unit-vectors.ts'

const length = 128
const kernel = openKernel()
const arena = createArena(kernel, length)
const breathe = async () => undefined
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

/** Vectors spread evenly across a number of directions, plus a residue that has the given total size. */
function drawn(count: number, directions: number, rest: number): Float32Array[] {
  const random = randomNumbers(4)
  const number = () => random() + random() + random() - 1.5
  const axes = Array.from({ length: directions }, () => unit(Array.from({ length }, number)))
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length }, () => rest * number())
    for (const axis of axes) {
      const weight = number()
      for (let i = 0; i < length; i++) vector[i]! += weight * axis[i]!
    }
    return unit(vector)
  })
}

async function basisOf(samples: readonly Float32Array[], count: number): Promise<Float32Array[]> {
  const rows = await findSubspace(samples, count, { kernel, arena, breathe })
  return Array.from({ length: count }, (_, i) => rows.subarray(i * length, (i + 1) * length))
}

describe('the subspace of samples', () => {
  test.each([600, 1024, 37])('of %i has an orthonormal basis', async (count) => {
    const basis = await basisOf(drawn(count, 20, 0.05), 30)
    for (const [i, row] of basis.entries())
      for (const [k, other] of basis.entries()) expect(dot(row, other)).toBeCloseTo(i === k ? 1 : 0, 5)
  })

  test('contains what they have in common, spread over its rows', async () => {
    const samples = drawn(1300, 20, 0.01)
    const basis = await basisOf(samples, 24)
    const energy = basis.map((row) => samples.reduce((sum, sample) => sum + dot(row, sample) ** 2, 0))
    const all = energy.reduce((sum, own) => sum + own, 0)
    expect(all / samples.length).toBeGreaterThan(0.99)
    expect(Math.max(...energy)).toBeLessThan(all / 4)
    expect(await basisOf(samples, 24)).toEqual(basis)
  })

  test('releases the memory that was used to find it', async () => {
    const samples = drawn(600, 20, 0.05)
    await basisOf(samples, 30)
    const bytes = kernel.memory.buffer.byteLength
    for (let i = 0; i < 20; i++) await basisOf(samples, 30)
    expect(kernel.memory.buffer.byteLength).toBe(bytes)
  })
})
