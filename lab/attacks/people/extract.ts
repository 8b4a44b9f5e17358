import { byBrowser, byFfmpeg, hasFfmpeg } from '../../../e2e/support/acted/extract.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'

/** Of each clip; enough for whoever acts, and talkers go on alike. */
export const mostSeconds = 36

/** Takes clips apart into JPEGs, numbered in order. */
export interface Extract {
  frames(clip: string, folder: string): Promise<void>
  close(): Promise<void>
}

/** One for many clips: where there is no ffmpeg they share a browser. */
export async function openExtract(): Promise<Extract> {
  const limits = ['-t', String(mostSeconds)]
  if (await hasFfmpeg())
    return { frames: (clip, folder) => byFfmpeg(clip, folder, limits), close: async () => undefined }
  const browser = await launchBrowser()
  return { frames: (clip, folder) => byBrowser(browser, clip, folder), close: () => browser.close() }
}
