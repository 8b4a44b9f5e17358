import { describe, expect, test } from 'vitest'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { createAnalysis } from '#workers/analysis.ts'
import { FakeNetworks } from '../support/drawn/fake-networks.ts'
import { grey } from '../support/drawn/frames.ts'

/** The API on top of fake networks. A "picture" is the grey level that it decodes to. */
function analysisOfFakes() {
  const networks = new FakeNetworks()
  const pipeline = createPipeline(networks.open, () => 0)
  return createAnalysis<number>(pipeline, async (level) => {
    if (level < 0) throw new Error('no picture')
    return grey(64, 48, () => level)
  })
}

describe('the API of the workers', () => {
  test('decodes a picture before it analyses it', async () => {
    const found = await analysisOfFakes().analyse(80, {})
    expect(found).toMatchObject({ width: 64, height: 48, luminance: expect.closeTo(80, 0), detected: true })
  })

  test('tracks one stream, separate from single pictures', async () => {
    const analysis = analysisOfFakes()
    expect((await analysis.follow(80, {})).detected).toBe(true)
    expect((await analysis.analyse(80, {})).detected).toBe(true)
    expect((await analysis.follow(80, {})).detected).toBe(false)
  })

  test('forgets the stream on request', async () => {
    const analysis = analysisOfFakes()
    await analysis.follow(80, {})
    await analysis.forget()
    expect((await analysis.follow(80, {})).detected).toBe(true)
  })

  test('passes on that a picture cannot be decoded', async () => {
    await expect(analysisOfFakes().analyse(-1, {})).rejects.toThrow('no picture')
  })
})
