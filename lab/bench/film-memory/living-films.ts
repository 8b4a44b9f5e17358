import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { openExtract } from '#lab/attacks/people/extract.ts'
import { segmentsOf } from '../../../e2e/support/acted/clips.ts'
import { framesPerSecond } from '../../../e2e/support/acted/extract.ts'
import { decoded, type Pixels } from './encodings.ts'

/** A clip of a living person as the page films it: six pictures per second, with at most 128 pixels and 4,096 bytes each. */
export interface LivingFilm {
  readonly name: string
  readonly pictures: readonly Pixels[]
  /** Which pictures show which movement. */
  readonly segments: readonly { readonly action: string; readonly first: number; readonly last: number }[]
}

const sets = ['live-webcam', 'live-talking', 'replay-videos']
export const filmPerSecond = 6
/** How the film's pictures are taken. */
const film: FilmSampling = { perSecond: filmPerSecond, most: 96, side: 128, bytes: 4096, quality: 80 }
/** How a visit's frames are taken. */
const frames: FilmSampling = {
  perSecond: 1,
  most: 12,
  side: 640,
  bytes: Number.POSITIVE_INFINITY,
  quality: 90,
}
const leastQuality = 20

/** How pictures are taken from a clip. */
interface FilmSampling {
  readonly perSecond: number
  readonly most: number
  /** In pixels, of the longer side. */
  readonly side: number
  readonly bytes: number
  readonly quality: number
}

/** The films of all living people's clips in a folder's sets. */
export function livingFilms(folder: string): AsyncGenerator<LivingFilm> {
  return taken(folder, film)
}

/** One frame per second from the same clips, as the page sends them. */
export function livingFrames(folder: string): AsyncGenerator<LivingFilm> {
  return taken(folder, frames)
}

async function* taken(folder: string, taking: FilmSampling): AsyncGenerator<LivingFilm> {
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
        const pictures = await picturesOf((place) => extract.frames(join(videos, name), place), taking)
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

async function picturesOf(
  takeApart: (folder: string) => Promise<void>,
  taking: FilmSampling,
): Promise<Pixels[]> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-film-'))
  try {
    await takeApart(folder)
    const each = framesPerSecond / taking.perSecond
    const files = (await readdir(folder)).sort().filter((_, i) => i % each === 0)
    const pictures: Pixels[] = []
    for (const file of files.slice(0, taking.most))
      pictures.push(await decoded(await fitting(await readFile(join(folder, file)), taking)))
    return pictures
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Lowers the quality until the picture fits, as the page does. */
async function fitting(picture: Buffer, { side, bytes: most, quality: best }: FilmSampling): Promise<Buffer> {
  const pixels = await sharp(picture).resize(side, side, { fit: 'inside' }).png().toBuffer()
  for (let quality = best; ; quality -= 10) {
    const bytes = await sharp(pixels).jpeg({ quality }).toBuffer()
    if (bytes.length <= most || quality <= leastQuality) return bytes
  }
}
