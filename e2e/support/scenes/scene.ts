import type { Browser, BrowserContext, Page, Route } from '@playwright/test'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { installActor } from '../acted/actor.ts'
import type { Cast } from '../acted/cast.ts'
import type { Clip } from '../acted/clips.ts'
import { begin, createCheck, type Site, signLink } from '../acted/scenario.ts'

/** A scene's resources: a page, links, and people in front of the camera. */
export interface Stage {
  readonly site: Site
  readonly context: BrowserContext
  readonly page: Page
  readonly cast: Cast
  /** Signs a link for these checks and opens it. */
  open(checks?: Checks, more?: string): Promise<void>
  /** Signs a link without opening it. */
  link(checks: Checks, more?: string): Promise<string>
  /** Films a person. Call this before the page is opened. */
  film(clip: Clip): Promise<void>
}

type Checks = NonNullable<VerificationConfig['verifierConfigs']>

/** A screen of the product, and how it is reached in real use. */
export interface Scene {
  readonly name: string
  /** The state that the page should be in when it is examined. It must still be in that state afterwards. */
  readonly seen: string
  /** Capture the whole document, even if it scrolls. */
  readonly whole?: boolean
  /** Takes long to reach. */
  readonly slow?: boolean
  drive(stage: Stage): Promise<void>
}

/** Checks used by the scenes. */
export const balanced: Checks = { liveness: { type: 'Verification', challengeType: 'Balanced' } }
export const everything: Checks = {
  liveness: { type: 'Verification', challengeType: 'Advanced', allowAlternative: true },
  age: { type: 'CalculationOnly' },
  faceRecognition: { type: 'CalculationOnly' },
}
export const onlyAge: Checks = { age: { type: 'CalculationOnly' } }

/** The selector for a state and, if there are several, its cause. */
export const state = (name: string, cause?: string) =>
  `[data-state="${name}"]${cause === undefined ? '' : `[data-cause="${cause}"]`}`

/** A request that is never answered. */
export async function hang(_route: Route): Promise<void> {}

/** Opens a check whose camera is replaced by the script. */
export async function withCamera(stage: Stage, answer: string): Promise<void> {
  await stage.page.addInitScript(
    `Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: () => ${answer} })`,
  )
  await stage.open(balanced)
  await begin(stage.page)
}

/** Goes from a link to the camera, with a person in front of it. */
export async function capture(stage: Stage, clip: Clip, checks: Checks): Promise<void> {
  await stage.film(clip)
  await stage.open(checks)
  await begin(stage.page)
}

/** Makes the session end after this number of seconds, as far as the page can tell from its answers. */
export async function shortenSession(page: Page, seconds: number): Promise<void> {
  await page.route('**/init-redirect-session', async (route) => {
    const answer = await route.fetch()
    const expirationUtcTime = new Date(Date.now() + seconds * 1000).toISOString()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), expirationUtcTime } })
  })
}

/** Answers all steps in the server's place. */
export async function answerSteps(page: Page, answer: object): Promise<void> {
  await page.route('**/submit-step', (route) => route.fulfill({ json: answer }))
}

/** Opens a new page for a scene, and operates it until the screen appears. */
export async function openScene(
  scene: Scene,
  { site, browser, cast }: { site: Site; browser: Browser; cast: Cast },
  look: Parameters<Browser['newContext']>[0],
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...look })
  const page = await context.newPage()
  const link = async (checks: Checks, more = '') => signLink(site, await createCheck(site, checks), more)
  await scene.drive({
    site,
    context,
    page,
    cast,
    film: (clip) => installActor(context, clip, { manner: 'asked', noise: 0.5 }),
    link,
    async open(checks = balanced, more = '') {
      await page.goto(await link(checks, more))
    },
  })
  const timeout = scene.slow ? 60_000 : 45_000
  await page
    .locator(scene.seen)
    .first()
    .waitFor({ timeout })
    .catch(async () => {
      const shown = await page.evaluate(() => document.querySelector('main')?.innerText ?? '')
      await context.close()
      throw new Error(`not reached; it shows ${JSON.stringify(shown)}`)
    })
  return { page, context }
}
