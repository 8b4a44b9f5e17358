import { type Raster, readRaster, toJpeg } from '#lab/pictures/raster.ts'
import { between, expose } from '#lab/pictures/sensor.ts'
import { framesPerSecond } from '../../../e2e/support/acted/extract.ts'
import { turnsTheHead } from '../../../models/rules/challenge/movement.ts'
import { type Action, actions } from '../../../shared/contract/sessions/session.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import type { Forgery, Moment, Subject } from '../forgery.ts'
import { type AtRest, type Footage, peakOf, restIn, shownFrom, strengthOf } from '../people/footage.ts'
import type { Look } from '../people/looks.ts'
import { isStraight } from './photographed.ts'

/** Changes that are made to each of a session's pictures. */
export interface PlaybackChanges {
  /** How much the brightness varies randomly between sessions, because the product compares the brightness of pictures it remembers. */
  readonly lightSpread: number
  /** Keeps only every nth picture of the footage. */
  readonly every: number
  /** @param picture at least as large as `leastSide` */
  readonly alter?: (picture: Raster, random: () => number) => Raster | Promise<Raster>
}

export const plainly: PlaybackChanges = { lightSpread: 0.03, every: 1 }

/** Small clips are enlarged to a typical camera size. In pixels of the shorter side. */
const leastSide = 480

/** The strength at which a movement starts to show, and at which another movement would be visible. */
const beginning = 0.25
const nearlyAnother = 0.8
/** In pictures, about one second. */
const longestWay = 12
const cameraNoise = 0.7

/** Plays a person's footage as requested: the straight look, and the closest match for each action. */
export function playerOf(footage: Footage, playing: PlaybackChanges = plainly): Subject | undefined {
  const atRest = restIn(footage)
  if (atRest === undefined) return undefined
  return { name: footage.name, forge: (session) => forgeryOf(footage, atRest, playing, session) }
}

/** The actions in a person's footage. A turn must start with a straight look, as every step on the page does. */
export function actionsIn(footage: Footage, among: readonly Action[]): Action[] {
  const atRest = restIn(footage)
  if (atRest === undefined) return []
  return among.filter(
    (action) =>
      (peakOf(footage, atRest, action)?.strength ?? 0) >= shownFrom &&
      (!turnsTheHead(action) || beginsAtRest(footage, atRest, action)),
  )
}

/** In pictures, half a second. Tolerates pictures without a face and a jerky start. */
const soonBefore = 3

function beginsAtRest(footage: Footage, atRest: AtRest, action: Action): boolean {
  const first = wayTo(footage, atRest, action)[0]!
  const { shots } = footage
  return Array.from({ length: soonBefore + 1 }, (_, i) => shots[first - i]).some(
    (shot) =>
      shot?.clip === shots[first]!.clip &&
      shot.look !== undefined &&
      strengthOf(shot.look, atRest.rest, action) < beginning,
  )
}

function forgeryOf(footage: Footage, atRest: AtRest, playing: PlaybackChanges, session: number): Forgery {
  const random = randomNumbers(session + 1)
  const gain = between(1 - playing.lightSpread, 1 + playing.lightSpread, random)
  const take = async (index: number) => {
    const picture = await readRaster(await footage.shots[index]!.read(), leastSide)
    const altered = (await playing.alter?.(picture, random)) ?? picture
    return expose(altered, { gain, noise: cameraNoise }, random)
  }
  return {
    momentInMilliseconds: playedInMilliseconds,
    async film(moment, places) {
      const rasters: Raster[] = []
      for (const index of filmOf(footage, atRest, moment, places)) rasters.push(await take(index))
      return rasters
    },
    async frames(moment, count) {
      const jpegs: Buffer[] = []
      for (const index of indicesOf(footage, atRest, playing, moment, count, random)) {
        jpegs.push(await toJpeg(await take(index)))
      }
      return jpegs
    },
  }
}

/** The pictures of a moment, exactly `count` of them. */
export function indicesOf(
  footage: Footage,
  atRest: AtRest,
  { every }: PlaybackChanges,
  moment: Moment,
  count: number,
  random: () => number,
): number[] {
  const run = isStraight(moment) ? straightRun(atRest, moment) : wayTo(footage, atRest, moment)
  const seldom = run.filter((_, i) => (run.length - 1 - i) % every === 0)
  const isTurn = !isStraight(moment) && turnsTheHead(moment)
  const there = isTurn ? [straightBefore(footage, atRest, moment, run[0]!), ...seldom] : seldom
  const later = isStraight(moment) ? random() : 0
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? 1 : (i + later) / (count - 1 + later)
    return there[Math.round(at * (there.length - 1))]!
  })
}

/** The playback is in real time: a movement takes at most one second and two fifths of the moment. */
const playedInMilliseconds = 2400
const shotsOfAMoment = (playedInMilliseconds / 1000) * framesPerSecond

/** When the movement starts and peaks in a moment's film. */
const way = { begins: 0.2, reached: 0.6 } as const

/** The pictures in a moment's film, played from the clip in order until it ends. */
export function filmOf(
  footage: Footage,
  atRest: AtRest,
  moment: Moment,
  places: readonly number[],
): number[] {
  if (isStraight(moment)) {
    const run = straightRun(atRest, moment)
    return places.map((place) => run[Math.min(run.length - 1, Math.round(place * shotsOfAMoment))]!)
  }
  const run = wayTo(footage, atRest, moment)
  const [first, peak] = [run[0]!, run.at(-1)!]
  const inClip = footage.shots.flatMap(({ clip }, i) => (clip === footage.shots[peak]!.clip ? [i] : []))
  const begins = first - 1
  return places.map((place) => {
    const share = (place - way.begins) / (way.reached - way.begins)
    const index =
      share < 0
        ? begins - (way.begins - place) * shotsOfAMoment
        : share > 1
          ? peak + (place - way.reached) * shotsOfAMoment
          : begins + share * (peak - begins)
    return Math.max(inClip[0]!, Math.min(inClip.at(-1)!, Math.round(index)))
  })
}

/** A straight look, taken from the first half of the clip for `start` and from the second half for `end`. */
function straightRun({ straight }: AtRest, moment: 'start' | 'end'): readonly number[] {
  const half = Math.ceil(straight.length / 2)
  if (half < 4) return straight
  return moment === 'start' ? straight.slice(0, half) : straight.slice(-half)
}

/** The pictures from the start of a movement to its peak, except those that look more like a different movement. */
function wayTo(footage: Footage, atRest: AtRest, action: Action): readonly number[] {
  const peak = peakOf(footage, atRest, action)
  if (peak === undefined) return atRest.straight
  const { shots } = footage
  const way = [peak.index]
  for (let index = peak.index - 1; index >= 0 && way.length < longestWay; index--) {
    const { look, clip } = shots[index]!
    if (clip !== shots[peak.index]!.clip) break
    if (look === undefined || strengthOf(look, atRest.rest, action) < beginning) break
    if (!showsAnother(look, atRest, action)) way.unshift(index)
  }
  return way
}

/** The last straight look before a turn, which the page sends with every step. If the clip has none before that turn, the closest one. */
function straightBefore({ shots }: Footage, atRest: AtRest, action: Action, first: number): number {
  const { clip } = shots[first]!
  for (let index = first - 1; shots[index]?.clip === clip; index--) {
    const { look } = shots[index]!
    if (look !== undefined && strengthOf(look, atRest.rest, action) < beginning) return index
  }
  return atRest.straight.reduce((best, at) => (Math.abs(at - first) < Math.abs(best - first) ? at : best))
}

function showsAnother(look: Look, { rest }: AtRest, asked: Action): boolean {
  return actions
    .filter(turnsTheHead)
    .some((action) => action !== asked && strengthOf(look, rest, action) >= nearlyAnother)
}
