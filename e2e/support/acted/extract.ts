import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from '@playwright/test'

/** How many frames per second are extracted from clips. */
export const framesPerSecond = 12
const longestSide = 960
const run = promisify(execFile)

/**
 * Extracts a clip's frames as numbered JPEGs, with ffmpeg if it is installed, which is thirty times faster than seeking
 * in a browser, or otherwise with the browser's decoder.
 */
export async function extract(browser: Browser, file: string, folder: string): Promise<void> {
  if (await hasFfmpeg()) await byFfmpeg(file, folder)
  else await byBrowser(browser, file, folder)
}

export function hasFfmpeg(): Promise<boolean> {
  return run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  )
}

/** Rounds timestamps up, so that each frame is the one that a browser shows after seeking to that time. */
export async function byFfmpeg(file: string, folder: string, limits: readonly string[] = []): Promise<void> {
  refuseMissing(file)
  const scale = `scale='min(iw,${longestSide})':'min(ih,${longestSide})':force_original_aspect_ratio=decrease:force_divisible_by=2`
  const pictures = ['-vf', `fps=${framesPerSecond}:round=up,${scale}`, '-q:v', '2', join(folder, '%04d.jpg')]
  await run('ffmpeg', ['-v', 'error', '-threads', '1', '-i', file, ...limits, ...pictures])
}

export async function byBrowser(browser: Browser, file: string, folder: string): Promise<void> {
  refuseMissing(file)
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

/** Names the remedy, which a decoder's own error would not do. */
function refuseMissing(file: string): void {
  if (!existsSync(file))
    throw new Error(`There is no clip ${file}: put the pictures and clips of people into ../shared/data.`)
}

function typeOf(file: string): string {
  return file.endsWith('.webm') ? 'video/webm' : 'video/mp4'
}

async function openVideo(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const video = document.querySelector('video')!
    // As a blob, because seeking in a downloaded video takes a server that supports range requests.
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
