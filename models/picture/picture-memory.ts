import type { Frame } from './frame.ts'
import { openPictureKernel, type PictureKernel } from './kernel/open-kernel.ts'
import { LentMemory } from './lent-memory.ts'

/** Memory for a picture, its smaller copies, and the inputs of the networks. */
export interface PictureMemory {
  readonly levels: LentMemory
  readonly crops: LentMemory
  /** Processes data in its memory; absent without a kernel. */
  readonly kernel?: PictureKernel
  /**
   * Makes room in the kernel for a frame and its derived data, and returns true if there is enough. Must not be called
   * while anything is lent.
   */
  makeRoomFor(frame: Frame): boolean
}

/**
 * Larger pictures use the engine's memory and the script, because they are rare and a kernel never shrinks. Enough for a
 * screenshot of 1920 x 1080.
 */
export const mostPixelsInKernel = 2_100_000
/** Memory for one description of a face. */
const bytesOfCrops = 8 << 20
/** Per pixel, with a third more for all smaller copies. */
const bytesOfPixel = 4 * (4 / 3)
/** Copies are aligned to words, and some functions write slightly past the end. */
const slack = 4096

/** Memory managed by the engine only. */
export function scriptMemory(): PictureMemory {
  return { levels: new LentMemory(), crops: new LentMemory(), makeRoomFor: () => false }
}

/** [Note: Pixels in a kernel] Memory within a kernel, as long as it has room. */
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
