import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { madeOnce, madeWhole } from '../made-once.ts'
import { extract, framesPerSecond } from './extract.ts'

/** Real footage, if available. It is never committed; extracted frames are stored in the ignored cache. */
const footage = join('..', 'shared', 'data')
/** A folder of clip sets, each with its `labels.csv` and, if people perform actions, its `segments.csv`. */
export const livenessSets = join(footage, 'liveness')
export const replayVideos = join(livenessSets, 'replay-videos')
export const hasFootage = existsSync(replayVideos)

const clips = join('.cache', 'clips')

/**
 * Footage moves straight from one movement to the next. Within this share of a segment, the head may still be returning from the
 * previous one, which does not happen with people who wait for a request.
 */
export const comingBackShare = 0.12

export interface Segment {
  readonly action: string
  readonly startSeconds: number
  readonly endSeconds: number
}

export interface Clip {
  readonly name: string
  readonly framesPerSecond: number
  /** JPEG files in order. */
  readonly frames: readonly string[]
  readonly segments: readonly Segment[]
}

/** A clip's frames as JPEGs, extracted once and cached. */
export async function loadClip(browser: Browser, file: string, set: string = replayVideos): Promise<Clip> {
  const folder = await madeOnce(join(clips, basename(file, extname(file))), (place) =>
    extract(browser, join(set, file), place),
  )
  const frames = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort()
  return {
    name: basename(file, extname(file)),
    framesPerSecond,
    frames: frames.map((name) => join(folder, name)),
    segments: (await segmentsOf(set)).filter((segment) => segment.file === file),
  }
}

/** The movements in a set's clips and when they happen. Columns: file, action, start and end in seconds. */
export async function segmentsOf(set: string): Promise<(Segment & { readonly file: string })[]> {
  const table = await readFile(join(set, 'segments.csv'), 'utf8')
  return table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [file, action, start, end] = line.split(',') as [string, string, string, string]
      return { file, action, startSeconds: Number(start), endSeconds: Number(end) }
    })
}

/** The uncropped openly licensed photograph. */
export const photograph = join('tests', 'support', 'pictures', 'astronaut.png')

/** A still of an openly licensed face, cropped like a selfie, for machines without footage. It cannot perform actions. */
export async function stillClip(): Promise<Clip> {
  // From memory, because sharp cannot open files once the server's decoder has been loaded.
  const picture = sharp(await readFile(photograph))
    .extract({ left: 75, top: 0, width: 300, height: 300 })
    .resize(600)
    .jpeg({ quality: 95 })
  const file = await madeWhole(join(clips, 'astronaut.jpg'), (place) => picture.toFile(place))
  return { name: 'astronaut', framesPerSecond: 1, frames: [file], segments: [] }
}

/** Frames of an animated GIF of the feeds, extracted by the browser's decoder. */
export async function loadFeed(browser: Browser, file: string): Promise<Clip> {
  const folder = await madeOnce(join(clips, basename(file, extname(file))), (place) =>
    extractFeed(browser, join(footage, 'feeds', 'intel', file), place),
  )
  const frames = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort()
  return { name: file, framesPerSecond, frames: frames.map((name) => join(folder, name)), segments: [] }
}

async function extractFeed(browser: Browser, file: string, folder: string): Promise<void> {
  const page = await browser.newPage()
  await page.route('http://127.0.0.1:9/**', async (route) => {
    if (route.request().url().endsWith('/feed')) await route.fulfill({ path: file, contentType: 'image/gif' })
    else await route.fulfill({ body: '<!doctype html>', contentType: 'text/html' })
  })
  await page.goto('http://127.0.0.1:9/')
  const jpegs = await page.evaluate(decodeAnimation)
  for (const [index, jpeg] of jpegs.entries()) {
    await writeFile(join(folder, `${String(index).padStart(4, '0')}.jpg`), Buffer.from(jpeg, 'base64'))
  }
  await page.close()
}

async function decodeAnimation(): Promise<string[]> {
  const answer = await fetch('/feed')
  const decoder = new ImageDecoder({ data: answer.body!, type: 'image/gif' })
  await decoder.completed
  const jpegs: string[] = []
  for (let index = 0; index < decoder.tracks.selectedTrack!.frameCount; index++) {
    const { image } = await decoder.decode({ frameIndex: index })
    const canvas = document.createElement('canvas')
    canvas.width = image.displayWidth
    canvas.height = image.displayHeight
    canvas.getContext('2d')!.drawImage(image, 0, 0)
    image.close()
    jpegs.push(canvas.toDataURL('image/jpeg', 0.95).split(',')[1]!)
  }
  return jpegs
}
