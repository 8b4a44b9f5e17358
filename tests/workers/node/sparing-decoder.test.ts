import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createSparingDecoder, garbageCollector } from '#workers/node/sparing-decoder.ts'

/** Decodes pictures of these sizes. Returns the ones before which garbage was collected. */
async function collectedBefore(sizes: readonly number[], bytes = new Uint8Array()): Promise<number[]> {
  const collected: number[] = []
  let picture = 0
  const decode = createSparingDecoder(
    async () => ({ width: sizes[picture]!, height: 1, rgba: new Uint8Array() }),
    () => collected.push(picture),
  )
  for (; picture < sizes.length; picture++) await decode(bytes)
  return collected
}

test.each([
  [[15_999_999, 1, 1, 1], [2]],
  [[16_000_000, 1, 1], [1]],
  [
    [8_000_000, 8_000_000, 8_000_000, 8_000_000, 1],
    [2, 4],
  ],
  [[1_000_000, 1_000_000], []],
])('of pictures of %j pixels collects before %j', async (sizes, before) => {
  expect(await collectedBefore(sizes)).toEqual(before)
})

test('collects before a picture that the decoder holds completely, however little memory is left', async () => {
  const picture = sharp({ create: { width: 4096, height: 3907, channels: 4, background: '#8888' } })
  const [plain, interlaced] = await Promise.all(
    [false, true].map((progressive) => picture.clone().png({ progressive, compressionLevel: 1 }).toBuffer()),
  )
  expect(await collectedBefore([1, 1, 1], plain)).toEqual([])
  expect(await collectedBefore([1, 1, 1], interlaced)).toEqual([1, 2])
})

test('the collector frees unreachable memory', async () => {
  const collect = garbageCollector()
  collect()
  let lost: Uint8Array | undefined = new Uint8Array(50_000_000)
  const held = process.memoryUsage().arrayBuffers
  lost = lost.length > 0 ? undefined : lost
  const left = () => {
    collect()
    return process.memoryUsage().arrayBuffers
  }
  // If another thread is sweeping, the engine may release bytes slightly later.
  await expect.poll(left).toBeLessThanOrEqual(held - 50_000_000)
})
