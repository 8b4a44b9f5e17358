import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page, Route } from '@playwright/test'
import sharp, { type Sharp } from 'sharp'
import type { VerificationConfig } from '#shared/contract/verification.ts'
import { installActor } from './actor.ts'
import { type Clip, hasFootage, loadClip, stillClip } from './clips.ts'
import { begin, createCheck, type Site, signLink } from './scenario.ts'

/** What a scene has at hand: a page of its own, a link to open, and people for the camera. */
export interface Stage {
  readonly site: Site
  readonly context: BrowserContext
  readonly page: Page
  readonly cast: Cast
  /** Signs a link for these checks and opens it. */
  open(checks?: Checks, more?: string): Promise<void>
  /** Puts somebody before the camera; before the page is opened. */
  film(clip: Clip): Promise<void>
}

type Checks = NonNullable<VerificationConfig['verifierConfigs']>

/** Who may stand before the camera. */
export interface Cast {
  /** Acts what is asked, where footage is at hand; otherwise the still picture. */
  readonly actor: Clip
  readonly still: Clip
  readonly far: Clip
  readonly two: Clip
}

/** One screen of the product, and how it is really reached. */
export interface Scene {
  readonly name: string
  /** What the page must be when it is looked at; it may not have gone on by then. */
  readonly seen: string
  /** A document that scrolls is shown whole. */
  readonly whole?: boolean
  /** Takes long to reach. */
  readonly slow?: boolean
  drive(stage: Stage): Promise<void>
}

const balanced: Checks = { liveness: { type: 'Verification', challengeType: 'Balanced' } }
const everything: Checks = {
  liveness: { type: 'Verification', challengeType: 'Advanced', allowAlternative: true },
  age: { type: 'CalculationOnly' },
  faceRecognition: { type: 'CalculationOnly' },
}
const onlyAge: Checks = { age: { type: 'CalculationOnly' } }

const state = (name: string, cause?: string) =>
  `[data-state="${name}"]${cause === undefined ? '' : `[data-cause="${cause}"]`}`

/** Every screen, in the order in which a visitor could meet them. */
export const scenes: readonly Scene[] = [
  { name: 'demo', seen: 'form fieldset', whole: true, drive: openDemo },
  {
    name: 'opening',
    seen: state('opening'),
    async drive({ page, open }) {
      await page.route('**/init-redirect-session', hang)
      await open()
      await page.waitForTimeout(700)
    },
  },
  {
    name: 'opening-slow',
    seen: `${state('opening')}:has(button)`,
    slow: true,
    async drive({ page, open }) {
      await page.route('**/init-redirect-session', hang)
      await open()
    },
  },
  ...linkProblems(),
  { name: 'consent', seen: state('consent'), drive: ({ open }) => open(everything) },
  { name: 'consent-arabic', seen: `html[lang="ar"] ${state('consent')}`, drive: inLanguage('ar') },
  { name: 'consent-german', seen: `html[lang="de"] ${state('consent')}`, drive: inLanguage('de') },
  {
    name: 'another-way',
    seen: state('anotherWay'),
    async drive({ page, open }) {
      await open(balanced)
      await page.getByRole('button', { name: 'Another way' }).click()
    },
  },
  {
    name: 'declined',
    seen: state('declined'),
    async drive({ page, open }) {
      await open(balanced)
      await page.getByRole('button', { name: 'I don’t agree' }).click()
    },
  },
  {
    name: 'ready',
    seen: state('ready'),
    async drive({ page, open }) {
      await open(balanced)
      await page.getByRole('button', { name: 'Agree and continue' }).click()
    },
  },
  {
    name: 'deadline-near',
    seen: `${state('ready')} .banner`,
    async drive(stage) {
      await shortenSession(stage.page, 170)
      await stage.open(balanced)
      await stage.page.getByRole('button', { name: 'Agree and continue' }).click()
    },
  },
  {
    name: 'time-over',
    seen: state('timeOver'),
    async drive(stage) {
      await shortenSession(stage.page, 2)
      await stage.open(balanced)
    },
  },
  {
    name: 'asking',
    seen: state('asking'),
    drive: (stage) => withCamera(stage, 'new Promise(() => {})'),
  },
  {
    name: 'asking-late',
    seen: `${state('asking')} .lead:not(:empty)`,
    slow: true,
    drive: (stage) => withCamera(stage, 'new Promise(() => {})'),
  },
  {
    name: 'starting',
    seen: state('starting'),
    async drive(stage) {
      await stage.film(stage.cast.still)
      await stage.page.route('**/*.{onnx,wasm}', hang)
      await stage.open(balanced)
      await begin(stage.page)
    },
  },
  ...cameraProblems(),
  {
    name: 'align',
    seen: `${state('align')}:not(:has(.hint))`,
    async drive(stage) {
      await capture(stage, stage.cast.actor, balanced)
    },
  },
  {
    name: 'align-hint',
    seen: `${state('align')} [data-hint="closer"]`,
    drive: (stage) => capture(stage, stage.cast.far, balanced),
  },
  {
    name: 'align-help-offered',
    seen: `${state('align')} .controls button`,
    slow: true,
    drive: (stage) => capture(stage, stage.cast.two, balanced),
  },
  {
    name: 'help-two-people',
    seen: state('help'),
    slow: true,
    async drive(stage) {
      await capture(stage, stage.cast.two, balanced)
      await stage.page.getByRole('button', { name: 'Help' }).click({ timeout: 40_000 })
    },
  },
  {
    name: 'hold',
    seen: state('hold'),
    drive: (stage) => capture(stage, stage.cast.actor, balanced),
  },
  {
    name: 'one-moment',
    seen: state('done'),
    async drive(stage) {
      await stage.page.route('**/submit-step', hang)
      await capture(stage, stage.cast.actor, everything)
    },
  },
  ...(['turnLeft', 'turnRight', 'lookUp', 'blink', 'smile', 'comeCloser'] as const).map(
    (action): Scene => ({
      name: `action-${action}`,
      seen: `${state('action')}[data-action="${action}"]`,
      async drive(stage) {
        await answerSteps(stage.page, { next: { step: 1, action, timeLimitInSeconds: 10 }, accepted: true })
        await capture(stage, stage.cast.still, everything)
      },
    }),
  ),
  {
    name: 'action-arabic',
    seen: `html[lang="ar"] ${state('action')}`,
    async drive(stage) {
      await stage.film(stage.cast.still)
      await stage.open(everything, '&reLocale=ar')
      await stage.page.getByRole('button', { name: 'الموافقة والمتابعة' }).click()
      await stage.page.getByRole('button', { name: 'تشغيل الكاميرا' }).click()
    },
  },
  {
    name: 'paused',
    seen: state('paused'),
    async drive(stage) {
      await capture(stage, stage.cast.still, everything)
      await stage.page.getByRole('button', { name: 'More time' }).click({ timeout: 30_000 })
    },
  },
  {
    name: 'last-look',
    seen: state('closing'),
    async drive(stage) {
      await answerSteps(stage.page, { next: null, accepted: true })
      await capture(stage, stage.cast.actor, balanced)
    },
  },
  {
    name: 'sending',
    seen: state('sending'),
    async drive(stage) {
      await stage.page.route('**/submit-session', hang)
      await capture(stage, stage.cast.still, onlyAge)
    },
  },
  {
    name: 'sending-late',
    seen: `${state('sending')} .lead:not(:empty)`,
    slow: true,
    async drive(stage) {
      await stage.page.route('**/submit-session', hang)
      await capture(stage, stage.cast.still, onlyAge)
    },
  },
  {
    name: 'offline',
    seen: state('offline'),
    async drive(stage) {
      await stage.page.route('**/submit-session', (route) => route.abort('internetdisconnected'))
      await stage.page.addInitScript(() =>
        Object.defineProperty(navigator, 'onLine', { get: () => false, configurable: true }),
      )
      await capture(stage, stage.cast.still, onlyAge)
    },
  },
  {
    name: 'passed',
    seen: state('passed'),
    drive: (stage) => capture(stage, stage.cast.still, onlyAge),
  },
  {
    name: 'not-completed',
    seen: state('notCompleted'),
    async drive(stage) {
      await capture(stage, stage.cast.still, {
        age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 99, direction: 'Above' } },
      })
    },
  },
  {
    name: 'demo-result-passed',
    seen: '.verdict.good',
    whole: true,
    async drive(stage) {
      await stage.film(stage.cast.still)
      await demoOf(stage, 'liveness=off&age=estimate&face=remember')
      await begin(stage.page)
      await stage.page.waitForURL('**/demo/result?**', { timeout: 60_000 })
    },
  },
  {
    name: 'demo-result-refused',
    seen: '.verdict',
    whole: true,
    async drive(stage) {
      await demoOf(stage, 'liveness=balanced')
      await stage.page.getByRole('button', { name: 'I don’t agree' }).click()
      await stage.page.getByRole('button', { name: /^Back to/ }).click()
      await stage.page.waitForURL('**/demo/result?**')
    },
  },
  {
    name: 'demo-result-altered',
    seen: '.verdict.bad',
    whole: true,
    async drive({ page, site }) {
      await page.goto(`${site.product.address}/demo/result?reVerificationResult=passed&reSignature=00`)
    },
  },
]

function linkProblems(): Scene[] {
  const answered = (name: string, cause: string, status: number, code: string): Scene => ({
    name,
    seen: state('linkProblem', cause),
    async drive({ page, open }) {
      await page.route('**/init-redirect-session', (route) =>
        route.fulfill({
          status,
          contentType: 'application/problem+json',
          body: JSON.stringify({ type: 'about:blank', title: code, status, code, requestId: 'r' }),
        }),
      )
      await open()
    },
  })
  return [
    {
      name: 'link-wrong',
      seen: state('linkProblem', 'wrong'),
      async drive({ page, site }) {
        await page.goto(`${site.product.address}/verification/none?reSignature=00`)
      },
    },
    {
      name: 'link-used',
      seen: state('linkProblem', 'gone'),
      async drive({ page, site, context }) {
        const link = await signLink(site, await createCheck(site, balanced))
        const first = await context.newPage()
        await first.goto(link)
        await first.locator(state('consent')).waitFor()
        await first.close()
        await page.goto(link)
      },
    },
    answered('link-too-many', 'tooMany', 429, 'too_many_requests'),
    {
      name: 'link-unreachable',
      seen: state('linkProblem', 'unreachable'),
      async drive({ page, open }) {
        await page.route('**/init-redirect-session', (route) => route.abort('connectionrefused'))
        await open()
      },
    },
    {
      name: 'link-finished',
      seen: state('linkProblem', 'finished'),
      async drive({ page, open }) {
        await open(balanced)
        await page.getByRole('button', { name: 'I don’t agree' }).click()
        await page.reload()
        await page.reload()
      },
    },
  ]
}

function cameraProblems(): Scene[] {
  const refused = (cause: string, error: string, message = ''): Scene => ({
    name: `camera-${cause}`,
    seen: state('cameraProblem', cause),
    drive: (stage) =>
      withCamera(stage, `Promise.reject(new DOMException(${JSON.stringify(message)}, '${error}'))`),
  })
  const without = (cause: string, script: string): Scene => ({
    name: `camera-${cause}`,
    seen: state('cameraProblem', cause),
    async drive({ page, open }) {
      await page.addInitScript(script)
      await open()
    },
  })
  return [
    {
      name: 'camera-blocked',
      seen: state('cameraProblem', 'blocked'),
      async drive(stage) {
        await stage.page.addInitScript(`navigator.permissions.query = async () => ({ state: 'denied' })`)
        await withCamera(stage, `Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))`)
      },
    },
    refused('dismissed', 'NotAllowedError', 'Permission dismissed'),
    refused('blockedBySystem', 'NotAllowedError', 'Permission denied by system'),
    refused('embedded', 'SecurityError'),
    refused('noCamera', 'NotFoundError'),
    refused('inUse', 'NotReadableError'),
    without('unsupportedApp', `Object.defineProperty(navigator, 'mediaDevices', { value: undefined })`),
    without('oldBrowser', 'delete globalThis.Worker'),
    {
      name: 'camera-notLoaded',
      seen: state('cameraProblem', 'notLoaded'),
      async drive(stage) {
        await stage.film(stage.cast.still)
        await stage.page.route('**/*.onnx', (route) => route.abort('connectionrefused'))
        await stage.open(balanced)
        await begin(stage.page)
      },
    },
    {
      name: 'camera-stopped',
      seen: state('cameraProblem', 'stopped'),
      async drive(stage) {
        await capture(stage, stage.cast.far, balanced)
        for (let times = 0; times < 2; times++) {
          await stage.page.locator(state('align')).waitFor()
          await stage.page.evaluate(() => window.actor.vanish())
          await stage.page.waitForTimeout(500)
        }
      },
    },
    {
      name: 'camera-away',
      seen: state('cameraProblem', 'away'),
      async drive(stage) {
        await capture(stage, stage.cast.far, balanced)
        await stage.page.locator(state('align')).waitFor()
        await stage.page.evaluate(() => {
          Object.defineProperty(document, 'hidden', { value: true, configurable: true })
          document.dispatchEvent(new Event('visibilitychange'))
        })
      },
    },
  ]
}

async function openDemo({ page, site }: Stage): Promise<void> {
  await page.goto(`${site.product.address}/demo`)
}

async function demoOf({ page, site }: Stage, choices: string): Promise<void> {
  await page.goto(`${site.product.address}/demo?${choices}`)
  await page.locator('a.button').first().click()
}

function inLanguage(locale: string): Scene['drive'] {
  return ({ open }) => open(everything, `&reLocale=${locale}`)
}

/** A request that is never answered. */
async function hang(_route: Route): Promise<void> {}

/** Opens a check whose camera answers as the script says. */
async function withCamera(stage: Stage, answer: string): Promise<void> {
  await stage.page.addInitScript(
    `Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: () => ${answer} })`,
  )
  await stage.open(balanced)
  await begin(stage.page)
}

/** From a link to the camera, with somebody before it. */
async function capture(stage: Stage, clip: Clip, checks: Checks): Promise<void> {
  await stage.film(clip)
  await stage.open(checks)
  await begin(stage.page)
}

/** Lets the session end in so many seconds, as far as the page is told. */
async function shortenSession(page: Page, seconds: number): Promise<void> {
  await page.route('**/init-redirect-session', async (route) => {
    const answer = await route.fetch()
    const expirationUtcTime = new Date(Date.now() + seconds * 1000).toISOString()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), expirationUtcTime } })
  })
}

/** Answers each step in the server's place. */
async function answerSteps(page: Page, answer: object): Promise<void> {
  await page.route('**/submit-step', (route) => route.fulfill({ json: answer }))
}

/** People for the camera: footage where it is at hand and wanted, and an openly licensed picture in three ways. */
export async function gatherCast(browser: Browser, footage: boolean): Promise<Cast> {
  const still = await stillClip()
  const [picture] = still.frames as [string]
  const actor = footage && hasFootage ? await loadClip(browser, 'Krzysiek354_real.webm') : still
  return { actor, still: await upright(picture), far: await farAway(picture), two: await twice(picture) }
}

const folder = join('.cache', 'scenes')

/** The picture as a phone would see it: taller than wide. */
async function upright(picture: string): Promise<Clip> {
  return drawn(
    'still',
    sharp(picture).extract({ left: 132, top: 0, width: 180, height: 240 }).resize(720, 960),
  )
}

async function farAway(picture: string): Promise<Clip> {
  const small = await sharp(picture).resize(520, 520).png().toBuffer()
  const room = sharp({ create: { width: 720, height: 960, channels: 3, background: '#9aa3ad' } })
  return drawn('far', room.composite([{ input: small, left: 134, top: 360 }]))
}

async function twice(picture: string): Promise<Clip> {
  const one = await sharp(picture).extract({ left: 100, top: 0, width: 256, height: 512 }).png().toBuffer()
  const room = sharp({ create: { width: 512, height: 512, channels: 3, background: '#9aa3ad' } })
  return drawn('two', room.composite([{ input: one }, { input: one, left: 256, top: 0 }]))
}

async function drawn(name: string, picture: Sharp): Promise<Clip> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}.jpg`)
  await picture.jpeg({ quality: 95 }).toFile(file)
  return { name, framesPerSecond: 1, frames: [file], segments: [] }
}

/** Opens a fresh page for a scene and drives it until the screen is seen. */
export async function openScene(
  scene: Scene,
  { site, browser, cast }: { site: Site; browser: Browser; cast: Cast },
  look: Parameters<Browser['newContext']>[0],
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...look })
  const page = await context.newPage()
  await scene.drive({
    site,
    context,
    page,
    cast,
    film: (clip) => installActor(context, clip, { manner: 'asked', noise: 0.5 }),
    async open(checks = balanced, more = '') {
      await page.goto(await signLink(site, await createCheck(site, checks), more))
    },
  })
  await page
    .locator(scene.seen)
    .first()
    .waitFor({ timeout: scene.slow ? 60_000 : 45_000 })
  return { page, context }
}
