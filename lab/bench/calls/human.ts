import sharp from 'sharp'
import { type Human, openHuman } from '#lab/rivals/human.ts'
import { type HumanTask, humanTasks } from './tasks.ts'

interface Order {
  readonly task: HumanTask
  readonly picture: Uint8Array
  /** The number of concurrent calls. */
  readonly atOnce: number
}

/** Milliseconds until all calls are answered, and the number of faces in one of the answers. */
export interface HumanAnswer {
  readonly milliseconds: number
  readonly faces: number
}

const opened = new Map<HumanTask, Promise<Human>>()

/**
 * Follows the parent's orders, starting from a JPEG's bytes. Each question has its own instance of the library, which only runs the networks that it
 * needs.
 */
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => void answer(order).then((answered) => process.send!(answered)))

async function answer({ task, picture, atOnce }: Order): Promise<HumanAnswer> {
  const human = await humanFor(task)
  const start = performance.now()
  const faces = await Promise.all(Array.from({ length: atOnce }, () => facesIn(human, picture)))
  return { milliseconds: performance.now() - start, faces: faces[0]! }
}

async function facesIn(human: Human, picture: Uint8Array): Promise<number> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const input = human.tf.tensor(data, [1, info.height, info.width, 3], 'int32')
  const { face } = await human.detect(input)
  human.tf.dispose(input)
  return face.length
}

function humanFor(task: HumanTask): Promise<Human> {
  const known = opened.get(task) ?? openHuman(humanTasks[task])
  opened.set(task, known)
  return known
}
