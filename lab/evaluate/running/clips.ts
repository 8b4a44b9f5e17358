import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import sharp from 'sharp'
import { spread } from '#lab/evaluate/data-set.ts'
import type { RgbaFrame } from '../../../models/picture/frame.ts'

/** Decodes recordings into pictures that are in order and evenly spread. */
export interface Clips {
  /** The decoder, which is either a browser or ffmpeg. */
  readonly decoder: string
  /** Returns up to `most` upright frames, or null if the recording cannot be read. */
  frames(path: string, most: number): Promise<RgbaFrame[] | null>
  close(): Promise<void>
}

export const framesPerSecond = 4
/** Cameras rarely give a page larger pictures, and at this size, noise of a given number of grey levels has the same effect on every clip. */
const longestSide = 960

export function isClip(file: string): boolean {
  return /\.(mp4|webm|mov|mkv|avi|m4v)$/i.test(file)
}

/** Opens an available decoder: Chromium if possible, otherwise ffmpeg. Undefined if neither is available. */
export async function openClips(): Promise<Clips | undefined> {
  return (await openBrowser()) ?? (await openFfmpeg())
}

/** Playwright's own browser, followed by the system's browsers. */
const browsers = ['', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

async function openBrowser(): Promise<Clips | undefined> {
  for (const executablePath of browsers) {
    const browser = await chromium
      .launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) })
      .catch(() => undefined)
    if (browser === undefined) continue
    return {
      decoder: `Chromium ${browser.version()}`,
      frames: (path, most) => framesByBrowser(browser, path, most),
      close: () => browser.close(),
    }
  }
  return undefined
}

const page = 'http://127.0.0.1:9/'

/**
 * The page that plays a clip. It loads the entire clip, because seeking in a stream requires a server that supports range requests. Live recordings
 * do not contain their length, so the page seeks to the end to find out.
 */
const player = `<!doctype html><video muted></video><script>
const video = document.querySelector('video')
const event = (name) => new Promise((resolve) => video.addEventListener(name, resolve, { once: true }))
async function open() {
  const ready = event('loadeddata')
  const failed = event('error').then(() => { throw new Error('the clip could not be decoded') })
  video.src = URL.createObjectURL(await (await fetch('/clip')).blob())
  await Promise.race([ready, failed])
  if (Number.isFinite(video.duration)) return video.duration
  const known = event('durationchange')
  video.currentTime = 1e6
  await known
  return video.duration
}
async function picture(seconds, longestSide) {
  const there = event('seeked')
  video.currentTime = seconds
  await there
  const scale = Math.min(1, longestSide / Math.max(video.videoWidth, video.videoHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d').drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/png').split(',')[1]
}
</script>`

async function framesByBrowser(browser: Browser, path: string, most: number): Promise<RgbaFrame[] | null> {
  const tab = await browser.newPage()
  try {
    await tab.route(`${page}**`, (route) =>
      route.request().url().endsWith('/clip')
        ? route.fulfill({ path, contentType: path.endsWith('.webm') ? 'video/webm' : 'video/mp4' })
        : route.fulfill({ body: player, contentType: 'text/html' }),
    )
    await tab.goto(page)
    const seconds = await tab.evaluate<number>('open()')
    const frames: RgbaFrame[] = []
    for (const at of momentsOf(seconds, most)) {
      const png = await tab.evaluate<string>(`picture(${at}, ${longestSide})`)
      frames.push(await decode(Buffer.from(png, 'base64')))
    }
    return frames
  } catch {
    return null
  } finally {
    await tab.close()
  }
}

/** In seconds, the midpoints of equal parts of the clip. */
export function momentsOf(seconds: number, most: number): number[] {
  const count = Math.max(1, Math.min(most, Math.floor(seconds * framesPerSecond)))
  return Array.from({ length: count }, (_, i) => ((i + 0.5) * seconds) / count)
}

async function decode(picture: Buffer): Promise<RgbaFrame> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}

const run = promisify(execFile)

async function openFfmpeg(): Promise<Clips | undefined> {
  const found = await run('ffmpeg', ['-version']).catch(() => undefined)
  if (found === undefined) return undefined
  return {
    decoder: found.stdout.split(' Copyright')[0]!,
    frames: (path, most) => framesByFfmpeg(path, most).catch(() => null),
    close: async () => undefined,
  }
}

async function framesByFfmpeg(path: string, most: number): Promise<RgbaFrame[]> {
  const folder = await mkdtemp(join(tmpdir(), 'clip-'))
  try {
    const filter = `fps=${framesPerSecond},scale='min(iw,${longestSide})':'min(ih,${longestSide})':force_original_aspect_ratio=decrease:force_divisible_by=2`
    await run('ffmpeg', ['-v', 'error', '-i', path, '-vf', filter, join(folder, '%05d.png')])
    const files = (await readdir(folder)).sort()
    return await Promise.all(
      spread(files, most).map(async (file) => decode(await readFile(join(folder, file)))),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}
