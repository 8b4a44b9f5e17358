import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { drawLamp } from '#lab/pictures/lambert.ts'
import { drawHead, type LayeredHead, type Light, layeredHead } from '#lab/pictures/layered-head.ts'
import { atRest, type Movement } from '#lab/pictures/move-face.ts'
import { type Raster, readRaster, toJpeg } from '#lab/pictures/raster.ts'
import { between, deviate, expose } from '#lab/pictures/sensor.ts'
import { smooth } from '#lab/pictures/smooth.ts'
import { turnsTheHead } from '../../../models/rules/challenge/movement.ts'
import { type NeutralFace, neutralOf } from '../../../models/rules/face/neutral-face.ts'
import type { Action } from '../../../shared/contract/sessions/session.ts'
import { randomNumbers } from '../../../shared/random-numbers.ts'
import type { Forgery, Instrument, Moment, Subject } from '../forgery.ts'
import type { Materials } from '../people/materials.ts'
import { evenly, pressPeople } from '../people/portraits.ts'
import { livelinessOf, observed, rehearse } from '../people/rehearsal.ts'
import { isStraight } from './photographed.ts'

/** The size of a phone camera's picture. */
const portrait = { width: 480, height: 640 } as const
/** Ways to frame and blur the photograph. They are tried in order until the networks accept one. */
const framings = [
  { zoom: 1.25, blur: 0 },
  { zoom: 1, blur: 0 },
  { zoom: 1.25, blur: 0.6 },
  { zoom: 1.5, blur: 0.4 },
  { zoom: 1, blur: 0.8 },
] as const
const goodScore = 0.85
/** The photograph's maximum angles, in degrees. */
const straightest = { yaw: 10, pitch: 14, roll: 14 } as const
const mostFiles = 4
const mostTakes = 5

interface LayeredPerson {
  readonly head: LayeredHead
  readonly neutral: NeutralFace
}

/**
 * Draws the head as a separate layer in front of its room, which is filled in behind it. The head is lit based on its normals, and each
 * movement is rehearsed.
 */
export function layers(materials: Materials): Instrument {
  return {
    name: 'layers',
    is: 'One photograph; the head is a layer in 3D before its room, which is filled in behind it, lit by its normals; frames and film are one trajectory. Lamps and angles are tried with the product’s own networks and rules until they hold.',
    atOnce: 1,
    async subjects(most) {
      const found: Subject[] = []
      for (const [name, files] of evenly([...pressPeople(materials)], materials.seed)) {
        if (found.length >= most) break
        const cast = await firstCast(materials, files.slice(0, mostFiles))
        if (cast !== undefined) found.push({ name, forge: (session) => forge(materials, cast, session) })
      }
      return found
    },
  }
}

async function firstCast(materials: Materials, files: readonly string[]): Promise<LayeredPerson | undefined> {
  for (const file of files) {
    const cast = await castOf(materials, await readFile(file))
    if (cast !== undefined) return cast
  }
  return undefined
}

/** Chooses the framing with the highest liveness score for straight looks. */
async function castOf(materials: Materials, photograph: Buffer): Promise<LayeredPerson | undefined> {
  const random = randomNumbers(photograph.length)
  let best: (LayeredPerson & { score: number }) | undefined
  for (const framing of framings) {
    const picture = await framedBy(photograph, framing)
    const { face, others } = await materials.look(picture)
    if (face === undefined || others.length > 0 || !isStraightEnough(face.pose)) continue
    const head = layeredHead(picture, face.landmarks)
    const look = () =>
      drawHead(head, lightOf(random), { ...atRest, yaw: deviate(random), pitch: deviate(random) }, still)
    const looks = observed(
      await seenIn(materials, [expose(look(), camera, random), expose(look(), camera, random)]),
    )
    const { score, isLive } = livelinessOf(looks)
    const neutral = neutralOf(looks)
    if (neutral !== undefined && score > (best?.score ?? -1)) best = { head, neutral, score }
    if (score > goodScore && isLive) break
  }
  return best
}

const isStraightEnough = ({ yaw, pitch, roll }: { yaw: number; pitch: number; roll: number }) =>
  Math.abs(yaw) <= straightest.yaw &&
  Math.abs(pitch) <= straightest.pitch &&
  Math.abs(roll) <= straightest.roll

async function framedBy(photograph: Buffer, { zoom, blur }: (typeof framings)[number]): Promise<Raster> {
  const { width = 1, height = 1 } = await sharp(photograph).metadata()
  const scale = Math.min(width / portrait.width, height / portrait.height) / zoom
  const cut = { width: Math.round(portrait.width * scale), height: Math.round(portrait.height * scale) }
  const image = sharp(photograph)
    .extract({ left: (width - cut.width) >> 1, top: Math.round((height - cut.height) * 0.42), ...cut })
    .resize(portrait.width, portrait.height, { kernel: 'lanczos3', fit: 'fill' })
  return readRaster(await (blur > 0 ? image.blur(blur) : image).png().toBuffer())
}

const seenIn = (materials: Materials, pictures: readonly Raster[]) =>
  Promise.all(pictures.map(async (picture) => materials.judge(await toJpeg(picture, 91))))

const camera = { gain: 1, noise: 0.95 } as const
const still = { lean: 0, x: 0, y: 0 } as const
const lightOf = (random: () => number): Light => ({
  lamp: drawLamp(random),
  strength: between(0.6, 1, random),
})

/** How long a moment takes, and when its frames are taken. */
const momentInMilliseconds = 1600
const frameAt = { straight: [0.2, 0.4, 0.6, 0.8], acting: [0.08, 0.36, 0.48, 0.66] } as const

/** A made-up movement that takes a second and a half. Returns the picture at any point in time. */
type Take = (place: number) => Raster

interface Extent {
  readonly turn: number
  readonly up: number
  readonly smile: number
}
const usual: Extent = { turn: 25, up: 22, smile: 1 }

function takeOf(head: LayeredHead, moment: Moment, extent: Extent, random: () => number): Take {
  const light = lightOf(random)
  const phases = Array.from({ length: 6 }, () => 2 * Math.PI * random())
  const gain = between(0.96, 1.04, random)
  const began = 60 * random()
  return (place) => {
    const seconds = began + (place * momentInMilliseconds) / 1000
    const sway = (k: number) =>
      0.7 * Math.sin(seconds / (0.9 + 0.35 * k) + phases[k]!) +
      0.3 * Math.sin(seconds / 0.41 + 2 * phases[k]!)
    const share = isStraight(moment) ? 0 : smooth((place - 0.12) / 0.45) - smooth((place - 0.72) / 0.26)
    const acted = isStraight(moment) ? atRest : actedBy(moment, extent, share)
    const movement = { ...acted, yaw: acted.yaw + 0.9 * sway(0), pitch: acted.pitch + 0.7 * sway(1) }
    const drawn = drawHead(head, light, movement, { lean: 0.6 * sway(2), x: 2 * sway(3), y: 1.5 * sway(4) })
    const exposure = gain * (1 + 0.006 * sway(5) - 0.015 * share)
    return expose(drawn, { ...camera, gain: exposure }, random)
  }
}

function actedBy(action: Action, { turn, up, smile }: Extent, share: number): Movement {
  const changes: Readonly<Record<Action, Partial<Movement>>> = {
    turnLeft: { yaw: turn * share },
    turnRight: { yaw: -turn * share },
    lookUp: { pitch: up * share },
    smile: { smile: smile * share },
    blink: { shut: share },
    comeCloser: { size: 1 + 0.5 * share },
  }
  return { ...atRest, ...changes[action] }
}

const framesAt = (moment: Moment) => (isStraight(moment) ? frameAt.straight : frameAt.acting)

function forge(materials: Materials, cast: LayeredPerson, session: number): Forgery {
  const random = randomNumbers(session + 1)
  const takes = new Map<Moment, Promise<Take>>()
  const takeFor = (moment: Moment): Promise<Take> => {
    const made = takes.get(moment) ?? rehearsed(materials, cast, moment, random)
    takes.set(moment, made)
    return made
  }
  const film = async (moment: Moment, places: readonly number[]) => places.map(await takeFor(moment))
  return {
    momentInMilliseconds,
    film,
    placesOfFrames: framesAt,
    async frames(moment, count) {
      const pictures = await film(moment, framesAt(moment).slice(0, count))
      return Promise.all(pictures.map((picture) => toJpeg(picture, 91)))
    },
  }
}

/** Returns the first take that passes the rules, or else one that at least shows the action. */
async function rehearsed(
  materials: Materials,
  { head, neutral }: LayeredPerson,
  moment: Moment,
  random: () => number,
): Promise<Take> {
  let best = takeOf(head, moment, usual, random)
  if (isStraight(moment) || moment === 'comeCloser') return best
  for (let i = 0; i < mostTakes; i++) {
    const extent = {
      turn: between(21, 29, random),
      up: between(19, 27, random),
      smile: between(0.8, 1.6, random),
    }
    const take = takeOf(head, moment, extent, random)
    const { isDone, holds } = rehearse(moment, await seenIn(materials, framesAt(moment).map(take)), neutral)
    if (isDone) best = take
    if (isDone && (holds || !turnsTheHead(moment))) break
  }
  return best
}
