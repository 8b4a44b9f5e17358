import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Footage, Shot } from '#lab/attacks/people/footage.ts'
import { type Raster, readRaster } from '#lab/attacks/pictures/raster.ts'
import { expose } from '#lab/attacks/pictures/sensor.ts'
import { toSmallJpeg } from '#lab/attacks/pictures/small-jpeg.ts'
import type { Analysis } from '#models/rules/analysis.ts'
import { type TrailPoint, trailPointOf } from '#models/rules/liveness/evidence/trail.ts'
import { pipelineVersion } from '#models/rules/pipeline-version.ts'
import { randomNumbers } from '#shared/random-numbers.ts'

/** A clip of a living person as a film of a visit sees it, at the pace of the clip. */
export interface FilmedClip {
  readonly person: string
  readonly clip: string
  /** As it is. */
  readonly plain: readonly TrailPoint[]
  /** The same pictures once more, 3 % brighter or darker, and with the noise that a forger adds. */
  readonly sentAgain: readonly TrailPoint[]
}

/** Looks at a small picture with what the film is looked at with. */
type LookAt = (jpeg: Buffer) => Promise<Analysis>

/** Of each clip; pictures a second of what was taken apart. */
const most = { seconds: 12, perSecond: 12 } as const
/** Levels of noise: see photographed.ts. */
const noise = 1.2

/** The clips of a person, each looked at once and then kept beside the pictures. */
export async function filmedClips({ name, shots }: Footage, lookAt: LookAt): Promise<FilmedClip[]> {
  const clips = [...new Set(shots.map(({ clip }) => clip))]
  const found: FilmedClip[] = []
  for (const [i, clip] of clips.entries()) {
    const own = shots.filter((shot) => shot.clip === clip).slice(0, most.seconds * most.perSecond)
    const kept = join('.cache', 'recordings', `${name} ${i} ${pipelineVersion}.json`.replaceAll('/', '-'))
    if (!existsSync(kept)) {
      mkdirSync(join('.cache', 'recordings'), { recursive: true })
      writeFileSync(kept, JSON.stringify(await pointsOf(own, lookAt)))
    }
    const points = JSON.parse(readFileSync(kept, 'utf8')) as Pick<FilmedClip, 'plain' | 'sentAgain'>
    found.push({ person: name, clip, ...points })
  }
  return found
}

async function pointsOf(shots: readonly Shot[], lookAt: LookAt) {
  const random = randomNumbers(5)
  const plain: TrailPoint[] = []
  const sentAgain: TrailPoint[] = []
  const gain = random() < 0.5 ? 0.97 : 1.03
  for (const [i, shot] of shots.entries()) {
    const moment = { time: Math.round((i * 1000) / most.perSecond), receivedAt: 0 }
    const raster = await readRaster(await shot.read(), 480)
    const seen = async (picture: Raster) => trailPointOf(await lookAt(await toSmallJpeg(picture)), moment)
    plain.push(await seen(raster))
    sentAgain.push(await seen(expose(raster, { gain, noise }, random)))
  }
  return { plain, sentAgain }
}
