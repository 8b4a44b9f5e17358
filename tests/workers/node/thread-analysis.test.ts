import { expect, test } from 'vitest'
import type { Frame } from '#models/picture/frame.ts'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { createThreadAnalysis } from '#workers/node/thread-analysis.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'
import { grey } from '../../support/drawn/frames.ts'

const tick = () => new Promise((done) => setTimeout(done, 5))

/** A thread's analysis, with a decoder that answers when the test tells it to. */
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

test('an idle thread ends on request', async () => {
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
