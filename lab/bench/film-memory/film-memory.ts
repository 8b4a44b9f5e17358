import { randomUUID } from 'node:crypto'
import type { TrailPoint } from '../../../models/rules/liveness/evidence/trail.ts'
import { sceneSignature } from '../../../models/rules/liveness/scene-signature.ts'
import { createFilmMemory } from '../../../server/features/sessions/pictures/film-memory.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '../../../server/platform/store/drivers/memory.ts'
import { anotherTaking, decoded, type Encoding, encodings, type Pixels } from './encodings.ts'
import { filmPerSecond, type LivingFilm, livingFilms } from './living-films.ts'

/** Films with fewer pictures are too short for a visit. */
const leastPictures = 48
const visitsOfEach = 200
const actionsOfVisit = 3
/** How many pictures it takes to look straight, react, act and come back. */
const pace = { straight: [9, 20], reaction: [2, 6], acting: [8, 14], back: [2, 4], rest: [6, 12] } as const

type Memory = ReturnType<typeof createFilmMemory>

/** The sketches of a film, of the same moments taken on another day, and of the film in each encoding. */
interface SketchedFilm extends Pick<LivingFilm, 'name' | 'segments'> {
  readonly sketches: readonly string[]
  readonly another: readonly string[]
  readonly encoded: Readonly<Record<string, readonly string[]>>
}

const newMemory = (): Memory =>
  createFilmMemory(createMemoryStore(), createKeyRing(Buffer.alloc(32, 1), 'EU'), Date.now)

/**
 * How often a re-encoded film of a living person is recognised, and how often an honest film is mistaken for a repeat: the second half of a clip
 * after its first half, and visits composed of a clip's movements with different pauses. Composed visits show the same pixels in different light, so
 * only their timing differs. Films of real people differ more.
 */
export async function benchFilmMemory({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const { sketch } = newMemory()
  const films: SketchedFilm[] = []
  for await (const film of livingFilms(data)) films.push(await sketched(film, sketch))
  const whole = films.filter(({ sketches }) => sketches.length >= leastPictures)
  const figures: Record<string, number> = { clips: films.length, 'films of 8 seconds and more': whole.length }
  for (const name of Object.keys(encodings)) figures[`recognised, ${name}, %`] = await recognised(whole, name)
  const halves = whole.filter(({ sketches }) => sketches.length >= 2 * leastPictures - 24)
  figures['second halves of a clip'] = halves.length
  figures['second halves of a clip taken for a repeat'] = await halvesRefused(halves)
  Object.assign(figures, await visitsRefused(films))
  return figures
}

async function sketched(
  { name, pictures, segments }: LivingFilm,
  sketch: Memory['sketch'],
): Promise<SketchedFilm> {
  const sketches = (encode?: Encoding) => sketchesOf(pictures, sketch, encode)
  const encoded: Record<string, string[]> = {}
  for (const [kind, encode] of Object.entries(encodings)) encoded[kind] = await sketches(encode)
  return { name, segments, encoded, sketches: await sketches(), another: await sketches(anotherTaking) }
}

async function sketchesOf(pictures: readonly Pixels[], sketch: Memory['sketch'], encode?: Encoding) {
  const found: string[] = []
  for (const picture of pictures) {
    const { data, width, height } = encode === undefined ? picture : await decoded(await encode(picture))
    found.push(sketch(sceneSignature({ rgb: data, width, height })))
  }
  return found
}

/** Applies the rule for films, by which at least half of the pictures have to be known. Then remembers the film. */
async function isKnown(memory: Memory, sketches: readonly string[]): Promise<boolean> {
  const film = sketches.map(
    (sketch, i): TrailPoint => ({
      time: Math.round((i * 1000) / filmPerSecond),
      receivedAt: 0,
      luminance: 0,
      face: null,
      place: [],
      digest: randomUUID(),
      sketch,
    }),
  )
  const session = { accountId: 'bench', sessionId: randomUUID(), tries: 0, created: Date.now() }
  const guard = { key: `session/${session.sessionId}`, value: undefined }
  const seen = await memory.compare({ value: session, guard }, film)
  return seen.filter((point) => point.isKnown).length >= seen.length / 2
}

async function recognised(films: readonly SketchedFilm[], name: string): Promise<number> {
  const memory = newMemory()
  for (const { sketches } of films) await isKnown(memory, sketches)
  let found = 0
  for (const { encoded } of films) if (await isKnown(memory, encoded[name]!)) found++
  return (100 * found) / films.length
}

async function halvesRefused(films: readonly SketchedFilm[]): Promise<number> {
  let refused = 0
  for (const { sketches } of films) {
    const memory = newMemory()
    const half = sketches.length >> 1
    await isKnown(memory, sketches.slice(0, half))
    if (await isKnown(memory, sketches.slice(half))) refused++
  }
  return refused
}

/** Both visits in a pair perform the same actions in the same order, which is the hardest case. */
async function visitsRefused(films: readonly SketchedFilm[]): Promise<Record<string, number>> {
  let [visits, refused, found] = [0, 0, 0]
  for (const film of films) {
    const shown = new Set(film.segments.map(({ action }) => action))
    if (!shown.delete('frontal') || shown.size === 0) continue
    const actions = [...shown]
    for (let i = 0; i < visitsOfEach; i++) {
      const asked = Array.from({ length: actionsOfVisit }, () => one(actions))
      const memory = newMemory()
      const first = visitOf(film, asked)
      await isKnown(
        memory,
        first.map((at) => film.sketches[at]!),
      )
      visits++
      if (
        await isKnown(
          memory,
          visitOf(film, asked).map((at) => film.another[at]!),
        )
      )
        refused++
      const kind = Object.keys(encodings)[i % Object.keys(encodings).length]!
      if (
        await isKnown(
          memory,
          first.map((at) => film.encoded[kind]![at]!),
        )
      )
        found++
    }
  }
  return {
    'honest second visits, same pixels and actions': visits,
    'honest second visits taken for a repeat': refused,
    'films of visits encoded anew, recognised, %': (100 * found) / Math.max(1, visits),
  }
}

/** A clip's pictures in the order of a visit: straight looks and the requested actions. */
function visitOf({ segments }: SketchedFilm, actions: readonly string[]): number[] {
  const shown: number[] = []
  const straight = one(segments.filter(({ action }) => action === 'frontal'))
  const play = ({ first, last }: typeof straight, from: number, pictures: number) => {
    const length = last - first
    for (let i = 0; i < pictures; i++) {
      const at = Math.floor(from * length + i) % Math.max(1, 2 * length)
      shown.push(first + Math.min(at, 2 * length - at))
    }
  }
  play(straight, Math.random(), between(pace.straight))
  for (const action of actions) {
    const segment = segments.find((found) => found.action === action)!
    play(straight, Math.random(), between(pace.reaction))
    play(segment, Math.random() * 0.15, between(pace.acting))
    const [from, steps] = [shown.at(-1)!, between(pace.back)]
    for (let i = 1; i <= steps; i++) shown.push(Math.round(from + ((segment.first - from) * i) / steps))
    play(straight, Math.random(), between(pace.rest))
  }
  return shown
}

function between([least, most]: readonly [number, number]): number {
  return Math.round(least + Math.random() * (most - least))
}

function one<T>(of: readonly T[]): T {
  return of[Math.floor(Math.random() * of.length)]!
}
