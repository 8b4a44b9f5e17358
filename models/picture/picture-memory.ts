import type { Frame } from './frame.ts'
import { openPictureKernel, type PictureKernel } from './kernel/open-kernel.ts'
import { LentMemory } from './lent-memory.ts'

/** What a picture is made in: itself and its smaller copies, and what the networks are fed. */
export interface PictureMemory {
  readonly levels: LentMemory
  readonly crops: LentMemory
  /** Works on what lies in its memory; absent where nothing does. */
  readonly kernel?: PictureKernel
  /** Makes room in the kernel for a frame and for what is made of it, and tells whether there is some. Nothing may be lent. */
  makeRoomFor(frame: Frame): boolean
}

/**
 * A larger picture is left to the engine's own memory, and to its script: these are rare, and a kernel gives nothing back.
 * It holds a screen's picture, 1920 x 1080.
 */
export const mostPixelsInKernel = 2_100_000
/** What one description of a face makes. */
const bytesOfCrops = 8 << 20
/** Of a pixel, with a third of it for all smaller copies. */
const bytesOfPixel = 4 * (4 / 3)
/** Copies begin at words, and some functions write a little further. */
const slack = 4096

/** Memory in the engine's hands alone. */
export function scriptMemory(): PictureMemory {
  return { levels: new LentMemory(), crops: new LentMemory(), makeRoomFor: () => false }
}

/** [Note: Pixels in a kernel] Memory in that of a kernel, as far as it reaches. */
export function kernelMemory(): PictureMemory {
  const kernel = openPictureKernel()
  const [levels, crops] = [new LentMemory(), new LentMemory()]
  return {
    ...{ levels, crops, kernel },
    makeRoomFor({ width, height }) {
      if (width * height > mostPixelsInKernel) return false
      const bytes = Math.ceil((width * height * bytesOfPixel + slack) / 16) * 16
      try {
        kernel.reach(bytes + bytesOfCrops)
      } catch {
        return false
      }
      const { buffer } = kernel.memory
      levels.takeFrom({ buffer, start: 0, end: bytes })
      crops.takeFrom({ buffer, start: bytes, end: bytes + bytesOfCrops })
      return true
    },
  }
}
