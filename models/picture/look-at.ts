import type { Frame } from './frame.ts'
import { Picture } from './picture.ts'
import { kernelMemory, type PictureMemory, scriptMemory } from './picture-memory.ts'

/** Looks at a frame as a picture, which is gone when `look` has ended. */
export type LookAt = <T>(frame: Frame, look: (picture: Picture) => Promise<T>) => Promise<T>

/** Pictures take each other's memory; those that are looked at in turn, between the pauses of others, each have their own. */
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

/** A device that has no room for a kernel, or an engine without vectors, reads its pictures by script. */
function memoryAtHand(): PictureMemory {
  try {
    return kernelMemory()
  } catch {
    return scriptMemory()
  }
}
