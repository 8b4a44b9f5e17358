import { randomUUID } from 'node:crypto'
import type { Analysis } from '../../../models/rules/analysis.ts'
import { sceneSignature } from '../../../models/rules/liveness/scene-signature.ts'
import { createPictureMemory } from '../../../server/features/sessions/pictures/picture-memory.ts'
import { createKeyRing } from '../../../server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '../../../server/platform/store/drivers/memory.ts'
import { decoded, encodings, type Pixels } from './encodings.ts'
import { livingFrames } from './living-films.ts'

/** A visit fails if at least this share of its pictures is known, and at least three of them. */
const failsFrom = 0.5
const fewest = 3

type Shot = readonly [bytes: Uint8Array, analysis: Analysis]

/** A visit as the memory stores it, and its pictures in each encoding. */
interface Visit {
  readonly pictures: readonly Shot[]
  readonly encoded: Readonly<Record<string, readonly Shot[]>>
}

/**
 * How often re-encoded pictures of living people are recognised, one by one and as part of a visit, and how often this happens to other moments in
 * the same clip. Pictures have the same size as those sent by the page.
 */
export async function benchResentPictures({
  data = '../shared/data',
}: {
  data?: string | undefined
}): Promise<Record<string, number>> {
  const visits: Visit[] = []
  for await (const { pictures } of livingFrames(data))
    if (pictures.length >= fewest) visits.push(await visitOf(pictures))
  const figures: Record<string, number> = { visits: visits.length }
  for (const name of Object.keys(encodings)) {
    const { pictures, refused } = await found(visits, ({ encoded }) => encoded[name]!)
    figures[`${name}: pictures recognised, %`] = pictures
    figures[`${name}: visits refused, %`] = refused
  }
  const halves = visits.filter(({ pictures }) => pictures.length >= 2 * fewest)
  const cut = halves.map(({ pictures }) => ({
    pictures: pictures.slice(0, pictures.length >> 1),
    rest: pictures.slice(pictures.length >> 1),
  }))
  const honest = await found(cut, ({ rest }) => rest)
  figures['second halves of a clip'] = halves.length
  figures['second halves: pictures recognised, %'] = honest.pictures
  figures['second halves: visits refused, %'] = honest.refused
  return figures
}

async function visitOf(pictures: readonly Pixels[]): Promise<Visit> {
  const encoded: Record<string, Shot[]> = {}
  for (const [name, encode] of Object.entries(encodings)) {
    const shots: Shot[] = []
    for (const picture of pictures) shots.push(shotOf(await decoded(await encode(picture))))
    encoded[name] = shots
  }
  return { pictures: pictures.map(shotOf), encoded }
}

function shotOf({ data, width, height }: Pixels): Shot {
  const signature = sceneSignature({ rgb: data, width, height })
  return [Buffer.from(randomUUID()), { sceneSignature: signature } as unknown as Analysis]
}

/** Remembers the first pictures of each visit, then submits other pictures. Shares are in percent. */
async function found<V extends Pick<Visit, 'pictures'>>(
  visits: readonly V[],
  second: (visit: V) => readonly Shot[],
) {
  const memory = createPictureMemory(createMemoryStore(), createKeyRing(Buffer.alloc(32, 1), 'EU'), Date.now)
  const bring = async (shots: readonly Shot[]) => {
    const session = { sessionId: randomUUID(), created: Date.now() }
    const seen = []
    for (const shot of shots) seen.push(await memory.findReuse(session, ...shot))
    return seen.filter((reuse) => reuse !== 'none').length
  }
  for (const { pictures } of visits) await bring(pictures)
  let [all, known, refused] = [0, 0, 0]
  for (const visit of visits) {
    const shots = second(visit)
    const count = await bring(shots)
    all += shots.length
    known += count
    if (count >= fewest && count >= failsFrom * shots.length) refused++
  }
  return { pictures: (100 * known) / all, refused: (100 * refused) / visits.length }
}
