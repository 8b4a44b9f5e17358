import { begin } from '../acted/scenario.ts'
import { cameraScenes } from './camera-scenes.ts'
import { captureScenes } from './capture-scenes.ts'
import { handoffScenes } from './handoff-scenes.ts'
import { openingScenes } from './opening-scenes.ts'
import { capture, hang, onlyAge, type Scene, type Stage, shortenSession, state } from './scene.ts'

/** The screens from the last picture to the return. */
const finishingScenes: readonly Scene[] = [
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
    name: 'offline-reload',
    seen: state('offline'),
    async drive({ page, open }) {
      await open()
      await page.getByRole('button', { name: 'Agree and continue' }).click()
      await page.locator(state('ready')).waitFor()
      await page.route('**/get-session', (route) => route.abort('internetdisconnected'))
      await page.reload()
    },
  },
  {
    name: 'time-over-offline',
    seen: `${state('timeOver')} .lead + .lead`,
    slow: true,
    async drive(stage) {
      await shortenSession(stage.page, 20)
      await stage.page.route('**/get-session', (route) => route.abort('internetdisconnected'))
      await stage.page.route('**/submit-session', (route) => route.abort('internetdisconnected'))
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
    seen: '.verdict.passed',
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
    seen: '.verdict.failed',
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
    seen: '.verdict.untrusted',
    whole: true,
    async drive({ page, site }) {
      await page.goto(`${site.product.address}/demo/result?reVerificationResult=passed&reSignature=00`)
    },
  },
]

/** All screens, in the order in which a visitor might encounter them. */
export const scenes: readonly Scene[] = [
  ...openingScenes,
  ...cameraScenes(),
  ...handoffScenes,
  ...captureScenes,
  ...finishingScenes,
]

async function demoOf({ page, site }: Stage, choices: string): Promise<void> {
  await page.goto(`${site.product.address}/demo?${choices}`)
  await page.locator('a.button').first().click()
}
