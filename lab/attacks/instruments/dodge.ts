import { readFile } from 'node:fs/promises'
import { atRest } from '#lab/pictures/move-face.ts'
import { onWall } from '#lab/pictures/pasted-face.ts'
import { type Raster, toJpeg } from '#lab/pictures/raster.ts'
import { between, expose } from '#lab/pictures/sensor.ts'
import { shifted } from '#lab/pictures/shift.ts'
import type { Observation } from '../../../models/rules/observation.ts'
import type { Action } from '../../../shared/contract/sessions/session.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import type { Dodge, Forgery, Instrument, Moment, Subject } from '../forgery.ts'
import type { Materials } from '../people/materials.ts'
import { enlargedWhole, evenly, pressPeople } from '../people/portraits.ts'
import { observed, showsOnly } from '../people/rehearsal.ts'
import { bentRecipe } from './bent.ts'
import { isStraight, shareOnTheWay } from './photographed.ts'

/** The action to wait for, because none of the cues for turned heads apply to it. */
const awaited = 'smile'

/** A single photograph. Each call returns almost the same picture. */
export type Photograph = (random: () => number) => Raster

/** A person at rest and performing some actions. */
export interface Album {
  readonly rest: Photograph
  readonly acting: Readonly<Partial<Record<Action, Photograph>>>
}

type Gather = (materials: Materials, files: readonly string[]) => Promise<Album | undefined>

/** Exchanges or fails head turns until a smile is requested, and responds with a second photograph. */
export const dodge = dodging(
  'dodge',
  'Two photographs of one person, unwarped, pasted before one invented wall. The turn of the head is exchanged for another action, or failed, until a smile is asked for; its verification allows alternatives. By itself it sends no film.',
  { others: 'exchanged', leastFiles: 3, gather: twoPhotographs },
)

/** The same with a single photograph, against a configuration that does not allow exchanging actions. */
export const dodgeWarped = dodging(
  'dodgeWarped',
  'As dodge, with one photograph whose mouth is drawn up by the mesh; nothing is exchanged, the turn of the head is failed.',
  { others: 'failed', leastFiles: 1, gather: oneWarped },
)

interface Means {
  readonly others: Dodge['others']
  readonly leastFiles: number
  readonly gather: Gather
}

/** Creates an instrument that looks straight ahead until an action is requested for which it has a photograph. */
export function dodging(name: string, is: string, { others, leastFiles, gather }: Means) {
  return (materials: Materials): Instrument => ({
    name,
    is,
    film: 'none',
    ...(others === 'exchanged' && { asked: { allowAlternative: true } }),
    atOnce: 2,
    async subjects(most) {
      const found: Subject[] = []
      for (const [person, files] of evenly([...pressPeople(materials)], materials.seed)) {
        if (found.length >= most) break
        const album = files.length < leastFiles ? undefined : await gather(materials, files)
        if (album !== undefined)
          found.push({ name: person, forge: (session) => forge(album, others, session) })
      }
      return found
    },
  })
}

const mostPhotographs = 6

/** Two photographs that differ only in the smile. */
async function twoPhotographs(materials: Materials, files: readonly string[]): Promise<Album | undefined> {
  const pasted: { picture: Raster; look: Observation }[] = []
  for (const file of files.slice(0, mostPhotographs)) {
    const picture = await onWall(await readFile(file))
    const look = await lookAt(materials, picture)
    if (look.face !== null) pasted.push({ picture, look })
  }
  for (const first of pasted) {
    const second = pasted.find((other) => other !== first && showsOnly(awaited, [first.look, other.look]))
    if (second !== undefined)
      return { rest: drifting(first.picture), acting: { [awaited]: drifting(second.picture) } }
  }
  return undefined
}

/** Moves the face a few pixels at random. */
export const drifting =
  (picture: Raster): Photograph =>
  (random) =>
    shifted(picture, {
      turn: 0,
      size: 1,
      x: Math.round(between(-2.5, 2.5, random)),
      y: Math.round(between(-2, 2, random)),
    })

const mostFiles = 3
const smiles = [0.8, 1.1, 1.4, 1.8, 2.3] as const

/** The weakest drawn smile that passes the rules. */
async function oneWarped(materials: Materials, files: readonly string[]): Promise<Album | undefined> {
  for (const file of files.slice(0, mostFiles)) {
    const picture = await enlargedWhole(await readFile(file))
    const { face } = await materials.look(picture)
    if (face === undefined) continue
    const portrait = { name: file, picture, points: face.landmarks, fit: face.fit }
    for (const most of smiles) {
      const at = (smile: number) => (random: () => number) =>
        bentRecipe(portrait, random)({ ...atRest, smile: smile * between(0.85, 1, random) }, 1)
      const [rest, smile] = [at(0), at(most)]
      const random = randomNumbers(1)
      const looks = [await lookAt(materials, rest(random)), await lookAt(materials, smile(random))] as const
      if (looks[0].face !== null && showsOnly(awaited, looks)) return { rest, acting: { [awaited]: smile } }
    }
  }
  return undefined
}

/** A picture as the rules observe it. */
export async function lookAt(materials: Materials, picture: Raster): Promise<Observation> {
  return observed([await materials.judge(await toJpeg(picture, 93))])[0]!
}

const momentInMilliseconds = 1200
const noise = 1.2

function forge({ rest, acting }: Album, others: Dodge['others'], session: number): Forgery {
  const random = randomNumbers(session + 1)
  const gain = between(0.94, 1.06, random)
  const take = (moment: Moment, isActing: boolean) => {
    const photograph = (isActing && !isStraight(moment) && acting[moment]) || rest
    return expose(photograph(random), { gain, noise }, random)
  }
  return {
    momentInMilliseconds,
    dodge: { shows: Object.keys(acting) as Action[], others },
    frames: (moment: Moment, count: number) =>
      Promise.all(Array.from({ length: count }, () => toJpeg(take(moment, true), 93))),
    film: async (moment, places) => places.map((place) => take(moment, shareOnTheWay(moment, place) > 0.5)),
  }
}
