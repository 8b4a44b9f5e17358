import type { Frame } from './frame.ts'
import { Picture } from './picture.ts'
import { kernelMemory, type PictureMemory, scriptMemory } from './picture-memory.ts'

/** Passes a frame to `look` as a picture, which is invalid afterwards. */
export type LookAt = <T>(frame: Frame, look: (picture: Picture) => Promise<T>) => Promise<T>

/** Consecutive pictures share memory. Pictures that are processed alternately, during each other's pauses, have separate memory. */
export function createLookAt(): LookAt {
  const idle: PictureMemory[] = []
  return async (frame, look) => {
    const memory = idle.pop() ?? memoryAtHand()
    try {
      return await look(new Picture(frame, memory))
    } finally {
      memory.levels.takeBack()
      memory.crops.takeBack()
      idle.push(memory)
    }
  }
}

/** Uses the script if there is no memory for a kernel, or the engine has no vector instructions. */
function memoryAtHand(): PictureMemory {
  try {
    return kernelMemory()
  } catch {
    return scriptMemory()
  }
}
