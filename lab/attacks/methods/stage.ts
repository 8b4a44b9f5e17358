import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Clip, Segment } from '../../../e2e/support/acted/clips.ts'
import { begin, comeBack, createCheck, type Site } from '../../../e2e/support/acted/scenario.ts'
import { type Product, startReceiver } from '../../../e2e/support/product.ts'
import type { Forgery, Moment } from '../forgery.ts'
import { askedByDefault } from '../instruments/recorded.ts'
import { type Attempt, attemptOf, type Plan, verifiersOf } from './method.ts'

/** The frame rate of the clip shown to a page, and the number of frames per movement. */
const framesPerSecond = 12
const framesOf = { straight: 18, moving: 14 } as const

/** A running product with an integrator's site, and the check that visitors are sent to. */
export interface Stage {
  readonly site: Site
  readonly verificationId: string
  close(): Promise<void>
}

export async function setStage(product: Product, plan: Plan): Promise<Stage> {
  const receiver = await startReceiver()
  const site = { product, receiver }
  const verificationId = await createCheck(site, verifiersOf(plan))
  return { site, verificationId, close: () => receiver.stop() }
}

/** Writes a forgery as a clip with one segment per moment, and deletes its files after `use`. */
export async function withClip<T>(forgery: Forgery, use: (clip: Clip) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-forged-'))
  try {
    return await use(await clipIn(folder, forgery))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function clipIn(folder: string, forgery: Forgery): Promise<Clip> {
  const frames: string[] = []
  const segments: Segment[] = []
  const moments: readonly Moment[] = ['start', ...askedByDefault]
  for (const moment of moments) {
    const isStraight = moment === 'start'
    const first = frames.length
    const jpegs = await forgery.frames(moment, isStraight ? framesOf.straight : framesOf.moving)
    for (const jpeg of jpegs) {
      const file = join(folder, `${String(frames.length).padStart(4, '0')}.jpg`)
      await writeFile(file, jpeg)
      frames.push(file)
    }
    segments.push({
      action: isStraight ? 'frontal' : moment,
      startSeconds: first / framesPerSecond,
      endSeconds: (frames.length - 1) / framesPerSecond,
    })
  }
  return { name: 'forged', framesPerSecond, frames, segments }
}

/** The maximum duration of a visit: three actions with their full time limits, twice. */
const mostMilliseconds = 120_000

/** Goes from consent to the return to the site. A page that leads nowhere counts as not passed. */
export async function walk(site: Site, page: Page): Promise<Attempt> {
  try {
    await begin(page)
    void page
      .waitForSelector('[data-state="passed"], [data-state="notCompleted"]', { timeout: mostMilliseconds })
      .then(() => page.getByRole('button', { name: /^Back to/ }).click({ timeout: 3000 }))
      .catch(() => undefined)
    const { result } = await comeBack(site, page, mostMilliseconds)
    return attemptOf(result)
  } catch {
    const state = await page.getAttribute('[data-state]', 'data-state', { timeout: 1000 }).catch(() => null)
    return { passed: false, assurance: null, reasons: [`ended by the page at ${state ?? 'nothing'}`] }
  }
}
