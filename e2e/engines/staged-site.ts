import type { Clip } from '../support/acted/clips.ts'
import type { Site } from '../support/acted/scenario.ts'
import { startProduct, startReceiver } from '../support/product.ts'
import { openStage, type Stage } from './stage.ts'

/** A product behind a stage, along with the stage's address. */
export interface StagedSite extends Site {
  readonly stage: Stage
}

/** Starts a staged site and stops it when `use` is done. */
export async function withStage<T>(clip: Clip, use: (site: StagedSite) => Promise<T>): Promise<T> {
  const stage = await openStage(clip)
  const receiver = await startReceiver()
  const product = await startProduct({
    PORT: String(stage.port),
    PUBLIC_URL: stage.address,
    CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp',
  })
  try {
    return await use({ product: { ...product, address: stage.address }, receiver, stage })
  } finally {
    await product.stop()
    await receiver.stop()
    stage.stop()
  }
}
