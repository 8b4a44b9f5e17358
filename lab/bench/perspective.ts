import { livingFootage } from '#lab/attacks/instruments/played.ts'
import { warp } from '#lab/attacks/instruments/warped.ts'
import type { Footage, Shot } from '#lab/attacks/people/footage.ts'
import { openMaterials } from '#lab/attacks/people/materials.ts'
import { enlarged } from '#lab/pictures/enlarged.ts'
import { atRest } from '#lab/pictures/move-face.ts'
import { type Raster, readRaster, toJpeg } from '#lab/pictures/raster.ts'
import { quantile } from '#lab/statistics/quantile.ts'
import type { FaceAnalysis } from '../../models/rules/analysis.ts'
import {
  type NearingPair,
  nearingBetween,
  perspectiveIn,
  perspectiveLimits,
} from '../../models/rules/liveness/evidence/perspective.ts'
import type { Observation } from '../../models/rules/observation.ts'
import { observe } from '../../models/rules/observe.ts'
import { openRealAnalysis } from '../../tests/support/real-analysis.ts'

/** The largest enlargement that a challenge with sizes requests. */
const growth = 1.45
const mostPairs = 4

interface ObservedFrame {
  readonly observation: Observation
  readonly face: FaceAnalysis
}

/**
 * How much more the middle of a face grows than its sides: for living people who come closer in their clips, for a picture of each person that is
 * enlarged as a whole, and for a picture in which only the face is enlarged. Each person counts once.
 */
export async function benchPerspective({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const materials = await openMaterials(data)
  const analysis = await openRealAnalysis()
  const { signal } = new AbortController()
  const look = async (raster: Raster): Promise<ObservedFrame | undefined> => {
    const found = await analysis.analyse(
      await toJpeg(raster),
      { sceneSignature: true },
      { accountId: 'bench', signal },
    )
    const meta = { step: 0, time: 0, receivedAt: 0, reused: 'none', digest: '' } as const
    return found.face && { observation: observe(found, meta), face: found.face }
  }
  const kinds: Record<'living' | 'enlarged' | 'faceEnlarged', NearingPair[][]> = {
    living: [],
    enlarged: [],
    faceEnlarged: [],
  }
  for (const footage of await livingFootage(materials)) {
    const living: NearingPair[] = []
    for (const pair of nearingShots(footage)) {
      const [a, b] = await Promise.all(
        pair.map(async (shot) => look(await readRaster(await shot.read(), 480))),
      )
      living.push(...between(a, b))
    }
    kinds.living.push(living)
    const still = straightShots(footage)[0]
    const raster = still && (await readRaster(await still.read(), 480))
    const seen = raster && (await look(raster))
    if (seen === undefined) continue
    const portrait = { name: '', picture: raster!, points: seen.face.landmarks, fit: seen.face.fit }
    const whole = await look(await enlarged(raster!, seen.face.box, growth))
    const alone = await look(warp(portrait, { ...atRest, size: growth }))
    kinds.enlarged.push(between(seen, whole))
    kinds.faceEnlarged.push(between(seen, alone))
  }
  return Object.assign({}, ...Object.entries(kinds).map(([kind, people]) => figuresOf(kind, people)))
}

function between(a: ObservedFrame | undefined, b: ObservedFrame | undefined): NearingPair[] {
  const nearing = a && b && nearingBetween(a.observation, b.observation)
  return nearing === undefined ? [] : [nearing]
}

function straightShots({ shots }: Footage): Shot[] {
  return shots.filter(({ look }) => look && Math.abs(look.yaw) < 15 && Math.abs(look.pitch) < 18)
}

/** A few pairs from the same clip with the largest size difference in the same pose. */
function nearingShots(footage: Footage): [Shot, Shot][] {
  const shots = straightShots(footage)
  const few = shots.filter((_, i) => i % Math.max(1, Math.floor(shots.length / 150)) === 0)
  const pairs = few.flatMap((a) =>
    few
      .filter((b) => b.clip === a.clip && isNearer(a, b))
      .map((b) => ({ pair: [a, b] as [Shot, Shot], ratio: b.look!.size / a.look!.size })),
  )
  const chosen: [Shot, Shot][] = []
  for (const { pair } of pairs.sort((x, y) => y.ratio - x.ratio)) {
    if (chosen.length >= mostPairs) break
    if (!chosen.flat().some((shot) => pair.includes(shot))) chosen.push(pair)
  }
  return chosen
}

function isNearer({ look: a }: Shot, { look: b }: Shot): boolean {
  const turned = Math.hypot(a!.yaw - b!.yaw, a!.pitch - b!.pitch)
  return b!.size / a!.size >= perspectiveLimits.leastRatio && turned <= perspectiveLimits.mostTurned
}

function figuresOf(kind: string, people: readonly NearingPair[][]): Record<string, number> {
  const measured = people.filter((pairs) => pairs.length > 0)
  const cues = measured.map(perspectiveIn)
  const values = cues.map(({ value }) => value!)
  const answered = (answer: string) => cues.filter((cue) => cue.answer === answer).length
  const all = measured.flat()
  const at = (share: number) => quantile(values, share)
  return {
    [`perspective.${kind}.people`]: measured.length,
    [`perspective.${kind}.pairs`]: all.length,
    [`perspective.${kind}.held`]: answered('held'),
    [`perspective.${kind}.broken`]: answered('broken'),
    [`perspective.${kind}.leastPair`]: quantile(
      all.map(({ centre }) => centre),
      0,
    ),
    [`perspective.${kind}.least`]: at(0),
    [`perspective.${kind}.p5`]: at(0.05),
    [`perspective.${kind}.median`]: at(0.5),
    [`perspective.${kind}.p95`]: at(0.95),
    [`perspective.${kind}.most`]: at(1),
    [`perspective.${kind}.steadyRims`]: all.filter(({ isSteady }) => isSteady).length,
  }
}
