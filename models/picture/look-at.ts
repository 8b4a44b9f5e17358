import type { Frame } from './frame.ts'
import { Picture } from './picture.ts'
import { kernelMemory, type PictureMemory, scriptMemory } from './picture-memory.ts'

/** Wraps a frame in a picture and passes it to `look`. The picture is invalid afterwards. */
export type LookAt = <T>(frame: Frame, look: (picture: Picture) => Promise<T>) => Promise<T>

/** Consecutive pictures share the same memory. Pictures that are processed concurrently each get separate memory. */
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

/** Falls back to plain JavaScript if there is no memory for a kernel or the engine does not support vector instructions. */
function memoryAtHand(): PictureMemory {
  try {
    return kernelMemory()
  } catch {
    return scriptMemory()
  }
}
