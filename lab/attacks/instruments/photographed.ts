import { atRest, type Movement, movementFor } from '#lab/pictures/move-face.ts'
import { type Raster, toJpeg } from '#lab/pictures/raster.ts'
import { between, expose } from '#lab/pictures/sensor.ts'
import { smooth } from '#lab/pictures/smooth.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import type { FilmKind } from '../films.ts'
import type { Forgery, Instrument, Moment } from '../forgery.ts'
import type { Materials } from '../people/materials.ts'
import { type framed, type Portrait, pressPortraits } from '../people/portraits.ts'

/** How far the action has progressed in each of four pictures. The last one holds it. */
const ramp = [0.3, 0.6, 0.9, 1]
const noise = 1.2
const lightSpread = 0.06

/** Draws a moment's picture. `share` is how far the action has progressed, 0...1. */
export type Draw = (movement: Movement, share: number) => Raster

/** A way to animate a photograph. Called once per session. */
export type Recipe = (portrait: Portrait, random: () => number) => Draw

interface Means {
  readonly frame?: typeof framed
  readonly film?: FilmKind
  readonly atOnce?: number
}

/** Creates an instrument that animates a single press photograph of each person. */
export function photographed(name: string, is: string, recipe: Recipe, { frame, ...others }: Means = {}) {
  return (materials: Materials): Instrument => ({
    name,
    is,
    ...others,
    subjects: async (most) =>
      (await pressPortraits(materials, most, frame)).map((portrait) => ({
        name: portrait.name,
        forge: (session) => forgeryFrom(recipe, portrait, session),
      })),
  })
}

/** A session's pictures, with constant light and fresh noise in each. */
export function forgeryFrom(recipe: Recipe, portrait: Portrait, session: number): Forgery {
  const random = randomNumbers(session + 1)
  const draw = recipe(portrait, random)
  const gain = between(1 - lightSpread, 1 + lightSpread, random)
  const take = (moment: Moment, share: number): Raster => {
    const drawn = draw(isStraight(moment) || share === 0 ? atRest : movementFor(moment, share), share)
    return expose(drawn, { gain, noise }, random)
  }
  return {
    momentInMilliseconds: madeUpInMilliseconds,
    async frames(moment, count) {
      const jpegs: Buffer[] = []
      for (let i = 0; i < count; i++) jpegs.push(await toJpeg(take(moment, shareAt(moment, i, count))))
      return jpegs
    },
    film: async (moment, places) => places.map((place) => take(moment, shareOnTheWay(moment, place))),
  }
}

/** The duration of a moment in a script that makes up its timing. Each movement takes a third of a second. */
export const madeUpInMilliseconds = 1200

/** When the movement starts, peaks and returns in a moment's film. */
const way = { begins: 0.2, reached: 0.5, left: 0.7 } as const

/** How far the action has progressed at a point in its film: a smooth movement there and back. */
export function shareOnTheWay(moment: Moment, place: number): number {
  if (isStraight(moment)) return 0
  const there = smooth((place - way.begins) / (way.reached - way.begins))
  const back = smooth((place - way.left) / (1 - way.left))
  return there - back
}

export function isStraight(moment: Moment): moment is 'start' | 'end' {
  return moment === 'start' || moment === 'end'
}

/** How far the action has progressed in picture `index` of `count`. */
function shareAt(moment: Moment, index: number, count: number): number {
  if (isStraight(moment)) return 0
  const at = count === 1 ? ramp.length - 1 : (index * (ramp.length - 1)) / (count - 1)
  const [before, after] = [ramp[Math.floor(at)]!, ramp[Math.ceil(at)]!]
  return before + (after - before) * (at - Math.floor(at))
}
