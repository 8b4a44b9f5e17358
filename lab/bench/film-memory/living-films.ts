import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { openExtract } from '#lab/attacks/people/extract.ts'
import { segmentsOf } from '../../../e2e/support/acted/clips.ts'
import { framesPerSecond } from '../../../e2e/support/acted/extract.ts'
import { decoded, type Pixels } from './encodings.ts'

/** A clip of somebody living, as the page films: six pictures a second, at most 128 pixels and 4,096 bytes each. */
export interface LivingFilm {
  readonly name: string
  readonly pictures: readonly Pixels[]
  /** Which pictures show which movement. */
  readonly segments: readonly { readonly action: string; readonly first: number; readonly last: number }[]
}

const sets = ['live-webcam', 'live-talking', 'replay-videos']
export const filmPerSecond = 6
const limits = { side: 128, bytes: 4096, quality: 80, leastQuality: 20 }
/** A visit takes no longer. */
const mostPictures = 96

/** The films of all clips of living people in the sets of a folder. */
export async function* livingFilms(folder: string): AsyncGenerator<LivingFilm> {
  const extract = await openExtract()
  try {
    for (const set of sets) {
      const place = join(folder, 'liveness', set)
      const videos = existsSync(join(place, 'videos')) ? join(place, 'videos') : place
      const segments = await segmentsOf(place)
      const clips = (await readdir(videos)).filter(
        (name) => /\.(mp4|webm|mov)$/.test(name) && !/_fake\./.test(name),
      )
      for (const name of clips.sort()) {
        const pictures = await filmOf((frames) => extract.frames(join(videos, name), frames))
        const own = segments.filter(({ file }) => file.endsWith(name)).map(inPictures)
        yield {
          name,
          pictures,
          segments: own.filter(({ first, last }) => last < pictures.length && last - first >= 2),
        }
      }
    }
  } finally {
    await extract.close()
  }
}

function inPictures({ action, startSeconds, endSeconds }: Awaited<ReturnType<typeof segmentsOf>>[number]) {
  return {
    action,
    first: Math.ceil(startSeconds * filmPerSecond),
    last: Math.floor(endSeconds * filmPerSecond),
  }
}

async function filmOf(takeApart: (folder: string) => Promise<void>): Promise<Pixels[]> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-film-'))
  try {
    await takeApart(folder)
    const each = framesPerSecond / filmPerSecond
    const files = (await readdir(folder)).sort().filter((_, i) => i % each === 0)
    const pictures: Pixels[] = []
    for (const file of files.slice(0, mostPictures))
      pictures.push(await decoded(await small(await readFile(join(folder, file)))))
    return pictures
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** As the page makes one: the quality is lowered until it fits. */
async function small(picture: Buffer): Promise<Buffer> {
  const { side } = limits
  const pixels = await sharp(picture).resize(side, side, { fit: 'inside' }).png().toBuffer()
  for (let quality = limits.quality; ; quality -= 10) {
    const bytes = await sharp(pixels).jpeg({ quality }).toBuffer()
    if (bytes.length <= limits.bytes || quality <= limits.leastQuality) return bytes
  }
}
