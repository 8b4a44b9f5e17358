import { describe, expect, test } from 'vitest'
import { documentPortrait, documentSteps } from '#lab/evaluate/recognition/document-portrait.ts'
import { rgbaOf } from '../../../../models/picture/frame.ts'

/** A frame with stripes and colours. */
const frame = rgbaOf({
  width: 400,
  height: 400,
  rgba: Uint8Array.from({ length: 400 * 400 * 4 }, (_, i) => {
    const [pixel, channel] = [i >> 2, i & 3]
    if (channel === 3) return 255
    return channel === 0 ? 220 : ((pixel % 400) * (channel + 1)) % 256
  }),
})
const face = { x: 150, y: 120, width: 100, height: 130 }

describe('the portrait of a document', () => {
  test.each(documentSteps)('is of few pixels, three for each dot once it was printed: %s', async (step) => {
    const { width, height, rgba } = await documentPortrait(frame, face, step)
    const scale = step === 'printed' ? 3 : 1
    expect([width, height, rgba.length]).toEqual([120 * scale, 154 * scale, 4 * 120 * 154 * scale ** 2])
  })

  test('has colour if it is only small, and none afterwards', async () => {
    for (const step of documentSteps) {
      const { rgba } = await documentPortrait(frame, face, step)
      let most = 0
      for (let i = 0; i < rgba.length; i += 4) most = Math.max(most, Math.abs(rgba[i]! - rgba[i + 1]!))
      if (step === 'small') expect(most).toBeGreaterThan(100)
      else if (step === 'printed') expect(most).toBeLessThan(80)
      else expect(most).toBe(0)
    }
  })

  test('is neither black nor white when printed', async () => {
    const { rgba } = await documentPortrait(frame, face, 'printed')
    const greens = Array.from(rgba).filter((_, i) => i % 4 === 1)
    const extreme = greens.filter((value) => value < 5 || value > 250)
    expect(extreme.length / greens.length).toBeLessThan(0.01)
  })

  test('is cut off if the face is at the edge', async () => {
    const { width, height } = await documentPortrait(frame, { ...face, x: 0, y: 330, height: 70 }, 'small')
    expect([width, height]).toEqual([120, 154])
  })
})
