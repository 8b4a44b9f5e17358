import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from '@playwright/test'
import { needFootage } from '#lab/footage.ts'
import { median } from '#lab/statistics/quantile.ts'
import { loadClip } from '../../../e2e/support/acted/clips.ts'
import { begin, createCheck, signLink } from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import { productOf, startReceiver } from '../../../e2e/support/product.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { type PageThreadTime, pageThreadTime, tracedCategories } from './trace.ts'

const clipName = 'tranvanluyt2203_real.mp4'
const visits = Number(process.env.BENCH_THREAD_VISITS ?? 5)
/** Only straight looks and no actions, because Chromium's built-in camera cannot act. */
const lookedAt = {
  age: { type: 'CalculationOnly' },
  emotion: { type: 'CalculationOnly', purpose: 'benchmark' },
} as const

export interface PageThreadOptions {
  /** The folder of another build to compare with this one. */
  readonly former?: string | undefined
}

/**
 * `npm run bench -- page-thread`: how much the page's own thread works per picture, from the first picture to the verdict, according to Chromium's
 * trace. Uses Chromium's built-in camera, because the acted camera would draw on the measured thread. With `--former FOLDER`, alternates with
 * another build.
 */
export async function benchPageThread({ former }: PageThreadOptions): Promise<Record<string, number>> {
  needFootage(clipName)
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-camera-'))
  const receiver = await startReceiver()
  const servers = new Map<string, BuiltServer>()
  let browser: Browser | undefined
  try {
    browser = await launchBrowser(await cameraFlags(join(folder, 'camera.mjpeg')))
    const builds = { '': '.', ...(former !== undefined && { 'former.': resolve(former) }) }
    for (const [build, root] of Object.entries(builds))
      servers.set(build, await startBuiltServer({ LOG_LEVEL: 'silent' }, [], { root }))
    const seen = new Map([...servers.keys()].map((build) => [build, [] as PageThreadTime[]]))
    for (let i = 0; i < visits; i++)
      for (const [build, server] of servers) {
        const site = { product: productOf(server), receiver }
        const visit = await visitTraced(browser, await signLink(site, await createCheck(site, lookedAt)))
        process.stderr.write(`${build || 'this'}: ${JSON.stringify(visit)}\n`)
        seen.get(build)!.push(visit)
      }
    return Object.assign({}, ...[...seen].map(([build, all]) => figuresOf(`pageThread.${build}`, all)))
  } finally {
    await browser?.close()
    await receiver.stop()
    for (const server of servers.values()) await server.stop()
    await rm(folder, { recursive: true })
  }
}

/** The flags that play the clip's straight pictures as Chromium's camera. */
async function cameraFlags(file: string): Promise<string[]> {
  const browser = await launchBrowser()
  const clip = await loadClip(browser, clipName)
  await browser.close()
  const { startSeconds, endSeconds } = clip.segments.find(({ action }) => action === 'frontal')!
  const [first, last] = [startSeconds, endSeconds].map((seconds) =>
    Math.floor(seconds * clip.framesPerSecond),
  )
  const pictures = await Promise.all(clip.frames.slice(first, last).map((picture) => readFile(picture)))
  await writeFile(file, Buffer.concat(pictures))
  return [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ]
}

async function visitTraced(browser: Browser, link: string): Promise<PageThreadTime> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, serviceWorkers: 'block' })
  const page = await context.newPage()
  await page.goto(link)
  await browser.startTracing(page, { categories: tracedCategories })
  await begin(page)
  await page.locator('[data-state="passed"], [data-state="notCompleted"]').waitFor({ timeout: 60_000 })
  const trace = await browser.stopTracing()
  await context.close()
  const [from, to, picture] = ['selfsame:first-analysis', 'selfsame:verdict', 'selfsame:frame'] as const
  return pageThreadTime(trace, { from, to, picture })
}

function figuresOf(name: string, seen: readonly PageThreadTime[]): Record<string, number> {
  return {
    [`${name}visits`]: seen.length,
    [`${name}msPerPicture`]: median(seen.map(({ tasks, pictures }) => tasks / pictures)),
    [`${name}processorMsPerPicture`]: median(seen.map(({ processor, pictures }) => processor / pictures)),
    [`${name}longestTaskMs`]: Math.max(...seen.map(({ longestTask }) => longestTask)),
    [`${name}pictures`]: median(seen.map(({ pictures }) => pictures)),
  }
}
