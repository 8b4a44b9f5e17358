import { describe, expect, test } from 'vitest'
import { createLookAt } from '#models/picture/look-at.ts'
import type { Picture } from '#models/picture/picture.ts'
import { engine } from '#shared/web-assembly.ts'
import { grey } from '../../support/drawn/frames.ts'

const frame = grey(64, 64, (x, y) => x + y)
const bufferOf = async (picture: Picture) => picture.lend(100).buffer

describe('a look at a frame', () => {
  test('reuses the memory of the previous look', async () => {
    const lookAt = createLookAt()
    const first = await lookAt(frame, bufferOf)
    expect(await lookAt(frame, bufferOf)).toBe(first)
  })

  test('has separate memory while another one is in progress', async () => {
    const lookAt = createLookAt()
    await lookAt(frame, async (outer) => {
      const held = outer.lend(100)
      expect(await lookAt(frame, bufferOf)).not.toBe(held.buffer)
    })
  })

  test('returns its memory if it fails', async () => {
    const lookAt = createLookAt()
    let held: ArrayBufferLike | undefined
    const failing = lookAt(frame, async (picture) => {
      held = picture.lend(100).buffer
      throw new Error('gone')
    })
    await expect(failing).rejects.toThrow('gone')
    expect(await lookAt(frame, bufferOf)).toBe(held)
  })

  test('reads a picture by script if there is no room for a kernel', async () => {
    const { Memory } = engine
    try {
      Object.assign(engine, {
        Memory: class {
          constructor() {
            throw new RangeError('no room')
          }
        },
      })
      const luminance = await createLookAt()(frame, async (picture) => {
        expect(picture.kernel).toBeUndefined()
        return picture.meanLuminance()
      })
      expect(luminance).toBeCloseTo(63, 0)
    } finally {
      Object.assign(engine, { Memory })
    }
  })
})
