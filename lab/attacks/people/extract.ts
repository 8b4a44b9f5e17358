import { byBrowser, byFfmpeg, hasFfmpeg } from '../../../e2e/support/acted/extract.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'

/** Seconds per clip. This covers all acted movements, and the rest of a talking head looks the same. */
export const mostSeconds = 36

/** Splits clips into numbered JPEGs. */
export interface Extract {
  frames(clip: string, folder: string): Promise<void>
  close(): Promise<void>
}

/** Use the same instance for many clips, since without ffmpeg they share a browser. */
export async function openExtract(): Promise<Extract> {
  const limits = ['-t', String(mostSeconds)]
  if (await hasFfmpeg())
    return { frames: (clip, folder) => byFfmpeg(clip, folder, limits), close: async () => undefined }
  const browser = await launchBrowser()
  return { frames: (clip, folder) => byBrowser(browser, clip, folder), close: () => browser.close() }
}
