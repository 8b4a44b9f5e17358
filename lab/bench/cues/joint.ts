import { type Footage, restIn, type Shot } from '#lab/attacks/people/footage.ts'
import { readRaster, toJpeg } from '#lab/pictures/raster.ts'
import { type Exposure, expose } from '#lab/pictures/sensor.ts'
import type { Analysis } from '../../../models/rules/analysis.ts'
import { physicsOf } from '../../../models/rules/liveness/evidence/physics.ts'
import { isRefusedByCues } from '../../../models/rules/liveness/evidence/refusal.ts'
import { isPassiveScoreLow } from '../../../models/rules/liveness/session-liveness.ts'
import type { Observation, TurnedPair } from '../../../models/rules/observation.ts'
import { observe } from '../../../models/rules/observe.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

/** The checks that could reject a living person who does everything right: the passive score and the cues. */
export interface JointChecks {
  readonly about: string
  readonly isPassiveLow: boolean
  readonly isCueBroken: boolean
}

/** The number of straight looks per visit. */
const straightLooks = 6

/** Undefined if the person never looks straight ahead. `pairs` are the same person's turned pictures, if there are any. */
export async function jointOf(
  footage: Footage,
  pairs: readonly TurnedPair[],
  lookAt: (jpeg: Buffer) => Promise<Analysis>,
  taking: Exposure,
): Promise<JointChecks | undefined> {
  const random = randomNumbers(5)
  const frontal: Observation[] = []
  for (const [i, shot] of straightShots(footage).entries()) {
    const jpeg = await toJpeg(expose(await readRaster(await shot.read()), taking, random))
    const meta = { step: 0, time: i * 200, receivedAt: i * 200, reused: 'none', digest: '' } as const
    frontal.push(observe(await lookAt(jpeg), meta))
  }
  const seen = frontal.filter(({ face }) => face !== null)
  if (seen.length === 0) return undefined
  return {
    about: footage.about ?? '',
    isPassiveLow: isPassiveScoreLow(seen),
    isCueBroken: pairs.length > 0 && isRefusedByCues(physicsOf(pairs)),
  }
}

function straightShots(footage: Footage): Shot[] {
  const straight = restIn(footage)?.straight ?? []
  const step = Math.max(1, straight.length / straightLooks)
  const chosen = Array.from(
    { length: Math.min(straightLooks, straight.length) },
    (_, i) => straight[Math.floor(i * step)]!,
  )
  return chosen.map((index) => footage.shots[index]!)
}

/** Groups of people, recognised by the text of their labels. */
const groups: Readonly<Record<string, RegExp>> = {
  darkSkin: /dark skin/,
  poorLight: /\bdim\b|poor light|back light|dark room/,
  glasses: /glasses/,
  beard: /beard/,
  headCover: /\b(hat|cap|scarf|hijab|turban|hood)\b/,
  old: /\bold\b/,
  all: /(?:)/,
}

/** The number of people and the shares rejected by the passive score, by a cue and by either of them, overall and for each labelled group. */
export function jointFigures(people: readonly JointChecks[], prefix: string): Record<string, number> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, words]) => {
      const own = people.filter(({ about }) => words.test(about))
      const count = (is: (joint: JointChecks) => boolean) => own.filter(is).length
      return [
        [`${prefix}.joint.${group}.people`, own.length],
        [`${prefix}.joint.${group}.passive`, count(({ isPassiveLow }) => isPassiveLow)],
        [`${prefix}.joint.${group}.cues`, count(({ isCueBroken }) => isCueBroken)],
        [`${prefix}.joint.${group}.refused`, count((joint) => joint.isPassiveLow || joint.isCueBroken)],
      ]
    }),
  )
}
