import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { signLink } from '../../../e2e/support/acted/scenario.ts'
import { launchBrowser } from '../../../e2e/support/browser.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { askedByDefault } from '../instruments/recorded.ts'
import type { Attempt, Method } from './method.ts'
import { type Stage, setStage, walk } from './stage.ts'

/** The frame rate of Chromium's fake MJPEG device. */
const framesPerSecond = 30
/** How often each picture is repeated. At this rate, ten different pictures are shown per second. */
const repeats = 3
const size = { width: 640, height: 480 } as const

/** Chromium's fake device plays a file in a loop, so it cannot react to requests. */
export const camera: Method = {
  name: 'camera',
  is: 'The product’s page in Chromium with a virtual camera that plays one file over and over, whatever is asked.',
  atOnce: 1,
  async open(product, plan) {
    const stage = await setStage(product, plan)
    return { attempt: (forgery) => visit(stage, forgery), close: () => stage.close() }
  },
}

async function visit({ site, verificationId }: Stage, forgery: Forgery): Promise<Attempt> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-camera-'))
  const file = join(folder, 'camera.mjpeg')
  await writeFile(file, Buffer.concat(await filmOf(forgery)))
  const browser = await launchBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ])
  try {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      serviceWorkers: 'block',
      permissions: ['camera'],
    })
    const tab = await context.newPage()
    await tab.goto(await signLink(site, verificationId))
    return await walk(site, tab)
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A long straight look, then each action and the way back, followed by a straight look. */
async function filmOf(forgery: Forgery): Promise<Buffer[]> {
  const seconds = (count: number) => Math.round((count * framesPerSecond) / repeats)
  const film: Buffer[] = await sized(forgery, 'start', seconds(4))
  for (const action of askedByDefault) {
    const there = await sized(forgery, action, seconds(1))
    film.push(...there, ...[...there].reverse(), ...(await sized(forgery, 'end', seconds(1.5))))
  }
  return film.flatMap((picture) => Array.from({ length: repeats }, () => picture))
}

/** All pictures in a film have the same size, with even sides. */
async function sized(forgery: Forgery, moment: Moment, count: number): Promise<Buffer[]> {
  const jpegs = await forgery.frames(moment, count)
  return Promise.all(
    jpegs.map((jpeg) =>
      sharp(jpeg)
        .resize(size.width, size.height, { fit: 'cover' })
        .jpeg({ quality: 90, chromaSubsampling: '4:2:0' })
        .toBuffer(),
    ),
  )
}
