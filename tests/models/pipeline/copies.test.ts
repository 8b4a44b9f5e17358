import { describe, expect, test } from 'vitest'
import { leastFaceInCopy, takesCopy } from '#models/pipeline/copies.ts'
import { createPipeline } from '#models/pipeline/pipeline.ts'
import { wantedForQuality } from '#models/rules/quality/face-quality.ts'
import { FakeNetworks } from '../../support/drawn/fake-networks.ts'
import { grey } from '../../support/drawn/frames.ts'

describe('a smaller copy of a large picture', () => {
  test.each([
    [{ group: true, embedding: true }, true],
    [{ group: 'otherwise', liveness: 'still' }, true],
    [wantedForQuality, false],
    [{ surface: true }, false],
    [{ sceneSignature: true }, false],
  ] as const)('returns %j: %j', (wanted, expected) => {
    expect(takesCopy(wanted)).toBe(expected)
  })

  const copyOf = (side: number) => ({ ...grey(side, side, (x, y) => (x + y) % 256), shrunk: 4, isCopy: true })

  test.each([
    ['wide enough is described from it', 1000, false],
    ['too narrow is described from the whole picture', 100, true],
  ])('whose face is %s', async (_name, side, expected) => {
    const pipeline = createPipeline(new FakeNetworks().open, () => 0)
    const whole = grey(300, 300, () => 90)
    let decoded = 0
    const decodeWhole = async () => {
      decoded++
      return whole
    }
    const seen = await pipeline.analyse(copyOf(side), {}, undefined, decodeWhole)
    expect(decoded).toBe(expected ? 1 : 0)
    expect(seen.width).toBe(expected ? 300 : 4 * side)
    const widthInCopy = seen.face!.box.width / 4
    if (!expected) expect(widthInCopy).toBeGreaterThanOrEqual(leastFaceInCopy)
  })

  test('of the size that the decoder produces is analysed regardless of its faces', async () => {
    const refuse = () => Promise.reject(new Error('decoded again'))
    const pipeline = createPipeline(new FakeNetworks().open, () => 0)
    const seen = await pipeline.analyse({ ...copyOf(100), isCopy: false }, {}, undefined, refuse)
    expect(seen.faces).toHaveLength(1)
  })

  test('without a face is the only one analysed', async () => {
    const networks = new FakeNetworks()
    networks.faces = 0
    const refuse = () => Promise.reject(new Error('decoded whole'))
    const pipeline = createPipeline(networks.open, () => 0)
    expect((await pipeline.analyse(copyOf(100), {}, undefined, refuse)).faces).toEqual([])
  })
})
