import { describe, expect, test, vi } from 'vitest'
import { decodeImage } from '#workers/node/image-decoder.ts'

const slow = vi.hoisted(() => ({ seconds: 0 }))

/** A decoder that takes as long as the test says, and gives up at its limit like the real one. */
vi.mock('sharp', () => {
  const open = () => {
    let limit = Number.POSITIVE_INFINITY
    const chain = {
      timeout({ seconds }: { seconds: number }) {
        limit = seconds
        return chain
      },
      metadata: async () => ({ width: 1, height: 1 }),
      autoOrient: () => chain,
      flatten: () => chain,
      toColourspace: () => chain,
      ensureAlpha: () => chain,
      raw: () => chain,
      async toBuffer() {
        if (slow.seconds > limit) throw new Error('timeout: 40% complete')
        return { data: new Uint8Array(4), info: { width: 1, height: 1 } }
      },
    }
    return chain
  }
  return { default: Object.assign(open, { concurrency() {}, cache() {}, block() {}, unblock() {} }) }
})

describe('a picture that takes long to decode', () => {
  test.each([4, 5])('is decoded if it takes %d seconds', async (seconds) => {
    slow.seconds = seconds
    expect(await decodeImage(new Uint8Array())).toMatchObject({ width: 1, height: 1 })
  })

  test.each([6, 3600])('is refused if it takes %d seconds', async (seconds) => {
    slow.seconds = seconds
    await expect(decodeImage(new Uint8Array())).rejects.toMatchObject({ code: 'unreadable_image' })
  })
})
