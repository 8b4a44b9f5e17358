import type { Recipe } from '#lab/attacks/instruments/photographed.ts'
import { warpedRecipe } from '#lab/attacks/instruments/warped.ts'
import { warpedAllRecipe } from '#lab/attacks/instruments/warped-all.ts'
import { warpedBentRecipe } from '#lab/attacks/instruments/warped-bent.ts'
import { warpedGainsRecipe } from '#lab/attacks/instruments/warped-gains.ts'
import { warpedLitRecipe } from '#lab/attacks/instruments/warped-lit.ts'
import { type Footage, restIn, type Shot } from '#lab/attacks/people/footage.ts'
import { atRest } from '#lab/pictures/move-face.ts'
import { type Raster, readRaster, toJpeg } from '#lab/pictures/raster.ts'
import { between, type Exposure, expose } from '#lab/pictures/sensor.ts'
import type { Analysis } from '../../../models/rules/analysis.ts'
import { sightOf, turnedPairs } from '../../../models/rules/liveness/evidence/turned-pairs.ts'
import type { TurnedPair } from '../../../models/rules/observation.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'

const recipes: Readonly<Record<string, Recipe>> = {
  warped: warpedRecipe,
  warpedGains: warpedGainsRecipe,
  warpedLit: warpedLitRecipe,
  warpedAll: warpedAllRecipe,
  warpedBent: warpedBentRecipe,
}

/** A person's pairs: those of the living person, and those of forgeries made from a single picture in the same clip. */
export type Twins = Readonly<Record<string, readonly TurnedPair[]>>

/** Analyses a picture just as far as the cues need it. */
export type LookAt = (jpeg: Buffer) => Promise<Analysis>

/** The range of turns to look for in a clip, in degrees. */
const turned = { least: 12, most: 34 } as const
const mostTurned = 3
/** The noise and light that a forger adds to each picture: see photographed.ts. */
const forged = { noise: 1.2, lightSpread: 0.06 } as const

/**
 * Compares a clip's turned pictures with its straightest one, and does the same after moving that picture to the same poses with each recipe. All
 * pictures are filmed in the same way. Undefined if the person never turns.
 */
export async function twinsIn(
  footage: Footage,
  lookAt: LookAt,
  taking: Exposure,
): Promise<Twins | undefined> {
  const random = randomNumbers(7)
  const chosen = chooseShots(footage)
  if (chosen === undefined) return undefined
  const taken = async (raster: Raster, gain: number, own: number) =>
    lookAt(
      await toJpeg(
        expose(raster, { gain: gain * taking.gain, noise: Math.hypot(own, taking.noise) }, random),
      ),
    )
  const picture = await readRaster(await chosen.straight.read(), 480)
  const straight = await taken(picture, 1, 0)
  if (straight.face === undefined) return undefined
  const found: Record<string, TurnedPair[]> = { living: [] }
  const gain = between(1 - forged.lightSpread, 1 + forged.lightSpread, random)
  const portrait = { name: footage.name, picture, points: straight.face.landmarks, fit: straight.face.fit }
  const atFirst = await taken(picture, gain, forged.noise)
  for (const shot of chosen.turned) {
    const living = await taken(await readRaster(await shot.read(), 480), 1, 0)
    found.living!.push(...pairOf(straight, living))
    if (living.face === undefined) continue
    const { yaw, pitch } = straight.face.pose
    const movement = { ...atRest, yaw: living.face.pose.yaw - yaw, pitch: living.face.pose.pitch - pitch }
    for (const [name, recipe] of Object.entries(recipes)) {
      const forgery = await taken(recipe(portrait, randomNumbers(11))(movement, 1), gain, forged.noise)
      found[name] = [...(found[name] ?? []), ...pairOf(atFirst, forgery)]
    }
  }
  return found
}

function pairOf(a: Analysis, b: Analysis): TurnedPair[] {
  return turnedPairs([a, b].map(sightOf)).flatMap((pair) => pair ?? [])
}

/** Chooses the shot from which most others are turned (preferably a straight one) and a few of the turned ones, spread over the clip. */
function chooseShots(footage: Footage): { straight: Shot; turned: readonly Shot[] } | undefined {
  const { shots } = footage
  const seen = shots.filter(
    ({ look }) => look !== undefined && Math.abs(look.yaw) < 17 && Math.abs(look.pitch) < 20,
  )
  const turnedFrom = (from: Shot) =>
    shots.filter(({ look, clip }) => {
      if (look === undefined || clip !== from.clip) return false
      const degrees = Math.hypot(look.yaw - from.look!.yaw, look.pitch - from.look!.pitch)
      return degrees >= turned.least && degrees <= turned.most
    })
  const rest = restIn(footage)
  const first = rest && shots[rest.straight[rest.straight.length >> 1]!]!
  const straight =
    first !== undefined && turnedFrom(first).length > 0
      ? first
      : seen.toSorted((a, b) => turnedFrom(b).length - turnedFrom(a).length)[0]
  if (straight === undefined) return undefined
  const others = turnedFrom(straight)
  if (others.length === 0) return undefined
  const step = Math.max(1, (others.length - 1) / (mostTurned - 1))
  const indices = new Set(Array.from({ length: mostTurned }, (_, i) => Math.floor(i * step)))
  return { straight, turned: [...indices].flatMap((index) => others[index] ?? []) }
}
