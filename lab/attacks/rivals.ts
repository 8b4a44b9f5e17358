import sharp from 'sharp'
import { everyNetwork, openHuman } from '#lab/rivals/human.ts'
import { mapConcurrent } from '../../shared/concurrency/map-concurrent.ts'
import type { Subject } from './forgery.ts'
import { passRate, type Rate } from './rates.ts'

/**
 * Other open-source products with their own liveness detection. [Note: face-api has none] Its networks detect faces, recognise them and estimate
 * attributes, but none of them detects whether a face is alive.
 */
export const rivalNames = ['human'] as const
export type RivalName = (typeof rivalNames)[number]

/** True if the rival considers the picture to show a living person. */
export type Rival = (jpeg: Buffer) => Promise<boolean>

/** The settings and thresholds for a real, live face in the face login demo of @vladmandic/human. */
const advised = {
  settings: { ...everyNetwork, detector: { rotation: true } },
  score: 0.6,
} as const

export async function openRival(_name: RivalName): Promise<Rival> {
  const human = await openHuman(advised.settings)
  return async (jpeg) => {
    const { data, info } = await sharp(jpeg).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const input = human.tf.tensor(data, [1, info.height, info.width, 3], 'int32')
    const { face } = await human.detect(input)
    human.tf.dispose(input)
    const { real = 0, live = 0 } = face[0] ?? {}
    return real >= advised.score && live >= advised.score
  }
}

const picturesOfALook = 4

/** The share of people for whom at least one of the first straight pictures is considered live, which is what the rival's demo waits for. */
export async function takenForLiving(rival: Rival, subjects: readonly Subject[]): Promise<Rate | undefined> {
  const taken = subjects.map(() => false)
  await mapConcurrent(subjects, 1, async (subject, index) => {
    for (const jpeg of await subject.forge(0).frames('start', picturesOfALook)) {
      taken[index] ||= await rival(jpeg)
    }
  })
  return passRate(taken.map((one) => [one]))
}
