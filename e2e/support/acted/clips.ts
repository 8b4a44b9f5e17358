import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import sharp from 'sharp'
import { madeOnce, madeWhole } from '../made-once.ts'

/** Real footage, where it is at hand. Nothing of it is ever committed; frames are kept in the ignored cache. */
const footage = join('..', 'shared', 'data')
/** Where sets of clips lie, each with its `labels.csv` and, where people act in it, its `segments.csv`. */
export const livenessSets = join(footage, 'liveness')
export const replayVideos = join(livenessSets, 'replay-videos')
export const hasFootage = existsSync(replayVideos)

const clips = join('.cache', 'clips')
const framesPerSecond = 12
const longestSide = 960

/**
 * Footage goes from one movement straight to the next: in this share of a segment the head may still come back from the
 * one before, which nobody shows who waits to be asked.
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

/** The frames of a clip as JPEGs, taken with the browser's own decoder once and cached. */
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

/** Which movements the clips of a set show, and when; its columns are a file, an action, and seconds from and to. */
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

export async function extract(browser: Browser, file: string, folder: string): Promise<void> {
  const page = await browser.newPage()
  await page.route('http://127.0.0.1:9/**', async (route) => {
    if (route.request().url().endsWith('/clip'))
      await route.fulfill({ path: file, contentType: typeOf(file) })
    else await route.fulfill({ body: '<!doctype html><video muted></video>', contentType: 'text/html' })
  })
  await page.goto('http://127.0.0.1:9/')
  const seconds = await openVideo(page)
  for (let index = 0; index / framesPerSecond < seconds - 0.05; index++) {
    const jpeg = await frameAt(page, index / framesPerSecond + 0.001)
    await writeFile(join(folder, `${String(index).padStart(4, '0')}.jpg`), Buffer.from(jpeg, 'base64'))
  }
  await page.close()
}

function typeOf(file: string): string {
  return file.endsWith('.webm') ? 'video/webm' : 'video/mp4'
}

async function openVideo(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const video = document.querySelector('video')!
    // From memory: a video that is fetched piece by piece can only be sought in where the server knows ranges.
    video.src = URL.createObjectURL(await (await fetch('/clip')).blob())
    await new Promise((resolve, reject) => {
      video.onloadeddata = resolve
      video.onerror = () => reject(new Error('the clip could not be decoded'))
    })
    if (video.videoWidth === 0) throw new Error('the clip could not be decoded')
    if (Number.isFinite(video.duration)) return video.duration
    video.currentTime = 1e6
    await new Promise((resolve) => {
      video.ondurationchange = resolve
    })
    return video.duration
  })
}

async function frameAt(page: Page, seconds: number): Promise<string> {
  return page.evaluate(
    async ([at, side]) => {
      const video = document.querySelector('video')!
      video.currentTime = at
      await new Promise((resolve) => {
        video.onseeked = resolve
      })
      const scale = Math.min(1, side / Math.max(video.videoWidth, video.videoHeight))
      const canvas = document.createElement('canvas')
      canvas.width = Math.round(video.videoWidth * scale)
      canvas.height = Math.round(video.videoHeight * scale)
      canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
      return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]!
    },
    [seconds, longestSide] as const,
  )
}

/** The openly licensed photograph, whole. */
export const photograph = join('tests', 'support', 'pictures', 'astronaut.png')

/** A still picture of an openly licensed face, as near as in a selfie, for where no footage is at hand. It acts nothing. */
export async function stillClip(): Promise<Clip> {
  // From memory: where the server's decoder was loaded too, sharp opens no files.
  const picture = sharp(await readFile(photograph))
    .extract({ left: 75, top: 0, width: 300, height: 300 })
    .resize(600)
    .jpeg({ quality: 95 })
  const file = await madeWhole(join(clips, 'astronaut.jpg'), (place) => picture.toFile(place))
  return { name: 'astronaut', framesPerSecond: 1, frames: [file], segments: [] }
}

/** The frames of an animated GIF of the feeds, by the browser's own decoder. */
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
