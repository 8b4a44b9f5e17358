import type { Browser, BrowserContext, Page, Request } from '@playwright/test'
import type { Acting } from '../../../e2e/support/acted/acting.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'
import { openActed } from '../../../e2e/support/acted/scenario.ts'
import { sentBody } from '../../../e2e/support/acted/sent-body.ts'
import { recordBytes, sumOf } from '../capture/loop-visit.ts'

/** The milestones of a visit over a weak link, in milliseconds. Undefined if the visit ended earlier. */
export interface LinkVisit {
  readonly passed: boolean
  /** The screen on which it ended if it did not pass. */
  readonly endedAt: string
  /** From the navigation to the consent screen. */
  readonly consent: number
  /** From pressing "Start camera" to the camera's first picture. */
  readonly camera: number | undefined
  /** From pressing the button to the first answer about whether there is a face, to the first face points, and to the first complete analysis. */
  readonly look: number | undefined
  readonly points: number | undefined
  readonly whole: number | undefined
  /** From pressing the button to the verdict. */
  readonly verdict: number | undefined
  /** The bytes downloaded until each of these milestones. */
  readonly bytes: Readonly<Record<'look' | 'points' | 'whole', number>>
  /** The bytes of all request bodies that carried pictures, and those of the frames and of the film in them. */
  readonly sentBytes: number
  readonly frameBytes: number
  readonly filmBytes: number
  /** Milliseconds between sending the call that ends a step and its answer. */
  readonly stepAnswers: readonly number[]
}

interface Milestones {
  consent?: number
  press?: number
  camera?: number
  look?: number
  points?: number
  whole?: number
  verdict?: number
}

declare global {
  interface Window {
    noted: Milestones
  }
}

/** The pictures come with the script, because a camera that fetches them would slow down loading the networks. */
const defaultActing: Acting = { manner: 'asked', brings: true }
const milestones = ['look', 'points', 'whole'] as const
const patience = 120_000
const lookEvery = 50

/** A visit with an empty cache by someone who presses each button as soon as it appears. */
export async function visitOverLink(
  browser: Browser,
  link: string,
  clip: Clip,
  acting: Acting = defaultActing,
): Promise<LinkVisit> {
  const prepare = async (context: BrowserContext) => void (await context.addInitScript(note))
  const { context, page } = await openActed(browser, 'about:blank', clip, acting, 'block', prepare)
  try {
    const files = await recordBytes(page)
    const sent = recordSent(page)
    const bytes = { look: 0, points: 0, whole: 0 }
    await page.goto(link, { waitUntil: 'commit' })
    for (const until = Date.now() + patience; Date.now() < until; await page.waitForTimeout(lookEvery)) {
      const noted = await page.evaluate(() => window.noted)
      for (const name of milestones) if (noted[name] !== undefined) bytes[name] ||= sumOf(files())
      await pressOn(page)
      if ((await page.locator(ends).count()) > 0) break
    }
    const noted = await page.evaluate(() => window.noted)
    const endedAt = await page.locator('[data-state]').first().getAttribute('data-state')
    const since = (at: number | undefined) => (at === undefined ? undefined : at - noted.press!)
    return {
      passed: endedAt === 'passed',
      endedAt: endedAt ?? 'nothing',
      consent: noted.consent ?? Number.NaN,
      camera: since(noted.camera),
      look: since(noted.look),
      points: since(noted.points),
      whole: since(noted.whole),
      verdict: since(noted.verdict),
      bytes,
      ...(await sent()),
    }
  } finally {
    await context.close()
  }
}

type Sent = Pick<LinkVisit, 'sentBytes' | 'frameBytes' | 'filmBytes' | 'stepAnswers'>

/** Records the calls that carry pictures, as they were sent. */
function recordSent(page: Page): () => Promise<Sent> {
  const calls: Promise<Omit<Sent, 'stepAnswers'> & { readonly answer: number | undefined }>[] = []
  page.on('requestfinished', (request) => {
    if (!/\/submit-(pictures|step|session)$/.test(new URL(request.url()).pathname)) return
    const endsStep = request.url().endsWith('/submit-step')
    const { responseEnd } = request.timing()
    const read = async () => ({
      sentBytes: (await request.sizes()).requestBodySize,
      ...picturesIn(request),
      answer: endsStep ? responseEnd : undefined,
    })
    calls.push(read())
  })
  return async () => {
    const all = await Promise.all(calls)
    const sum = (of: 'sentBytes' | 'frameBytes' | 'filmBytes') =>
      all.reduce((bytes, call) => bytes + call[of], 0)
    return {
      sentBytes: sum('sentBytes'),
      frameBytes: sum('frameBytes'),
      filmBytes: sum('filmBytes'),
      stepAnswers: all.flatMap(({ answer }) => answer ?? []),
    }
  }
}

type SentPictures = readonly { readonly bytes: string }[]

function picturesIn(request: Request): Pick<Sent, 'frameBytes' | 'filmBytes'> {
  const body = sentBody(request.postDataBuffer()!) as { frames?: SentPictures; trail?: SentPictures }
  const sizeOf = (pictures: SentPictures = []) =>
    pictures.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes, 'base64'), 0)
  return { frameBytes: sizeOf(body.frames), filmBytes: sizeOf(body.trail) }
}

const ends = ['passed', 'notCompleted', 'cameraProblem', 'linkProblem', 'timeOver']
  .map((state) => `[data-state="${state}"]`)
  .join()

/** Presses the only button that leads to the next step. */
async function pressOn(page: Page): Promise<void> {
  const names = /^(Agree and continue|Start camera|Take again|Continue)$/
  const button = page
    .locator('[data-state="consent"], [data-state="ready"], [data-state="paused"], [data-state="retake"]')
    .getByRole('button', { name: names })
  if ((await button.count()) > 0)
    await button
      .first()
      .click({ timeout: 10_000 })
      .catch(() => undefined)
}

/** Runs in the page. Also works with builds from before the networks were loaded in the order in which they are needed. */
function note(): void {
  const noted: Milestones = {}
  window.noted = noted
  const first = (name: keyof Milestones, at: number) => {
    noted[name] ??= at
  }
  new MutationObserver(() => {
    if (document.querySelector('[data-state="consent"]') !== null) first('consent', performance.now())
  }).observe(document, { subtree: true, childList: true, attributes: true })
  document.addEventListener(
    'click',
    ({ target }) => {
      const isStart = (target as Element).closest('button')?.textContent === 'Start camera'
      if (isStart) first('press', performance.now())
    },
    { capture: true },
  )
  const { play } = HTMLMediaElement.prototype
  HTMLMediaElement.prototype.play = function played(this: HTMLMediaElement) {
    this.addEventListener('loadeddata', () => first('camera', performance.now()), { once: true })
    return play.call(this)
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const end = entry.startTime + entry.duration
      if (entry.name === 'selfsame:frame') {
        first('look', end)
        if ((entry as PerformanceMeasure).detail.face) first('points', end)
      }
      if (entry.name === 'selfsame:first-analysis') first('whole', end)
      if (entry.name === 'selfsame:verdict') first('verdict', end)
    }
  }).observe({ entryTypes: ['measure', 'mark'] })
}
