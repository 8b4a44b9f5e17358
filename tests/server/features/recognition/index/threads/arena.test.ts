import { expect, test } from 'vitest'
import { createArena } from '#server/features/recognition/index/threads/arena.ts'
import { openKernel } from '#server/features/recognition/index/threads/kernel/open-kernel.ts'
import { pageBytes, type WasmMemory } from '#shared/web-assembly.ts'

/** Memory that is limited to a number of pages, and counts how often it grows. */
function memoryOf(mostPages: number) {
  const grown: number[] = []
  const memory: { -readonly [K in keyof WasmMemory]: WasmMemory[K] } = {
    buffer: new ArrayBuffer(pageBytes),
    grow(pages) {
      const before = memory.buffer.byteLength / pageBytes
      if (before + pages > mostPages) throw new RangeError('Maximum memory size exceeded')
      grown.push(pages)
      const larger = new Uint8Array((before + pages) * pageBytes)
      larger.set(new Uint8Array(memory.buffer))
      structuredClone(memory.buffer, { transfer: [memory.buffer] })
      memory.buffer = larger.buffer
      return before
    },
  }
  return { memory, grown }
}

test('memory grows for many segments at a time, and takes the remainder if a step is too large', () => {
  const { memory, grown } = memoryOf(600)
  const arena = createArena({ ...openKernel(), memory }, 512)
  const taken = Array.from({ length: 30 }, () => arena.take())
  expect(grown.length).toBeLessThan(6)
  for (const [i, { vectors }] of taken.entries()) arena.numbers(vectors, 512 * 512).fill(i)
  for (const [i, { vectors }] of taken.entries())
    expect(arena.numbers(vectors, 512 * 512).every((number) => number === i)).toBe(true)
  expect(() => Array.from({ length: 30 }, () => arena.take())).toThrow(RangeError)
  expect(memory.buffer.byteLength).toBeGreaterThan(580 * pageBytes)
})
