import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { extract } from '../../../e2e/support/acted/clips.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'

/** Frames a second that clips are taken apart at: what the browser's `extract` gives. */
export const framesPerSecond = 12
/** Of each clip; enough for whoever acts, and talkers go on alike. */
export const mostSeconds = 36
const longestSide = 960

/** Takes clips apart into JPEGs, numbered in order. */
export interface Extract {
  frames(clip: string, folder: string): Promise<void>
  close(): Promise<void>
}

const run = promisify(execFile)

/** With ffmpeg where there is one, which is twenty times as fast as a browser that seeks; else with the browser. */
export async function openExtract(): Promise<Extract> {
  const hasFfmpeg = await run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  )
  if (hasFfmpeg) return { frames: byFfmpeg, close: async () => undefined }
  const browser = await launchBrowser()
  return { frames: (clip, folder) => extract(browser, clip, folder), close: () => browser.close() }
}

async function byFfmpeg(clip: string, folder: string): Promise<void> {
  const scale = `scale='min(iw,${longestSide})':'min(ih,${longestSide})':force_original_aspect_ratio=decrease:force_divisible_by=2`
  const filter = `fps=${framesPerSecond},${scale}`
  const length = ['-t', String(mostSeconds)]
  const pictures = ['-vf', filter, '-q:v', '2', join(folder, '%04d.jpg')]
  await run('ffmpeg', ['-v', 'error', '-threads', '1', '-i', clip, ...length, ...pictures])
}
