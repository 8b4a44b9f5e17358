import type { Frame } from './frame.ts'
import { openPictureKernel, type PictureKernel } from './kernel/open-kernel.ts'
import { LentMemory } from './lent-memory.ts'

/** Memory for a picture, its downscaled copies and the networks' inputs. */
export interface PictureMemory {
  readonly levels: LentMemory
  readonly crops: LentMemory
  /** Processes data in this memory. Absent if there is no kernel. */
  readonly kernel?: PictureKernel
  /**
   * Makes room in the kernel for a frame and its derived data, and returns true if there is enough. Must not be called while anything is on loan.
   */
  makeRoomFor(frame: Frame): boolean
}

/**
 * Larger pictures are rare and a kernel never shrinks, so they use the engine's memory and plain JavaScript.
 * This is enough for a 1920 x 1080 screenshot.
 */
export const mostPixelsInKernel = 2_100_000
/** Memory for describing one face. */
const bytesOfCrops = 8 << 20
/** Bytes per pixel, plus a third for all the downscaled copies. */
const bytesOfPixel = 4 * (4 / 3)
/** Copies are word-aligned, and some functions write slightly past the end. */
const slack = 4096

/** Memory that is managed only by the engine. */
export function scriptMemory(): PictureMemory {
  return { levels: new LentMemory(), crops: new LentMemory(), makeRoomFor: () => false }
}

/** [Note: Pixels in a kernel] Memory inside a kernel, as long as there is room. */
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
