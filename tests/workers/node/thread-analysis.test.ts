import { expect, test } from 'vitest'
import type { Frame } from '#models/picture/frame.ts'
import { createPipeline } from '#models/pipeline.ts'
import { createThreadAnalysis } from '#workers/node/thread-analysis.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'
import { grey } from '../../support/drawn/frames.ts'

const tick = () => new Promise((done) => setTimeout(done, 5))

/** The analysis of a thread whose decoder answers when the test says so. */
function threadOfFakes() {
  const decodings: { done: (frame: Frame) => void; fail: (error: Error) => void }[] = []
  const ends: string[] = []
  const analysis = createThreadAnalysis(
    createPipeline(new FakeNetworks().open, () => 0),
    () => new Promise((done, fail) => void decodings.push({ done, fail })),
    () => void ends.push('ended'),
  )
  return { analysis, decodings, ends }
}

test('a thread that does nothing ends when it is told to', async () => {
  const { analysis, ends } = threadOfFakes()
  await analysis.end()
  expect(ends).toEqual(['ended'])
})

test.each(['done', 'fail'] as const)('a thread that decodes ends when the decoder is %s', async (how) => {
  const { analysis, decodings, ends } = threadOfFakes()
  const picture = analysis.analyse(Uint8Array.of(1), {}).catch(() => undefined)
  const ending = analysis.end()
  await tick()
  expect(ends).toEqual([])
  if (how === 'done') decodings[0]!.done(grey(64, 48, () => 80))
  else decodings[0]!.fail(new Error('no picture'))
  await ending
  expect(ends).toEqual(['ended'])
  await picture
})

test.each([
  ['of 8 megapixels is left to the collector', 4000, 2000, 0],
  ['of more is collected once it is analysed', 4001, 2000, 1],
])('a picture %s', async (_name, width, height, expected) => {
  let collected = 0
  const frame = { width, height, rgba: new Uint8Array(width * height * 4) }
  const analysis = createThreadAnalysis(
    createPipeline(new FakeNetworks().open, () => 0),
    async () => frame,
    () => undefined,
    () => void collected++,
    () => 0,
  )
  await analysis.begin(Uint8Array.of(1), {})
  await tick()
  expect(collected).toBe(expected)
})
