import type { Browser, BrowserContext, Page } from '@playwright/test'
import { takeOver } from '../handoff.ts'
import { balanced, everything, type Scene, type Stage, state } from './scene.ts'

/** A hand-over: the code, the phone that takes over, and the screen that follows it. */
export const handoffScenes: readonly Scene[] = [
  { name: 'handoff', seen: `${state('handoff')} .qr`, drive: (stage) => showCode(stage) },
  {
    name: 'handoff-arabic',
    seen: `html[lang="ar"] ${state('handoff')} .qr`,
    drive: (stage) => showCode(stage, '&reLocale=ar', 'استخدام هاتفي'),
  },
  {
    name: 'handoff-german',
    seen: `html[lang="de"] ${state('handoff')} .qr`,
    drive: (stage) => showCode(stage, '&reLocale=de', 'Mein Telefon verwenden'),
  },
  {
    name: 'handoff-unreachable',
    seen: `${state('handoff')} .button.primary`,
    async drive(stage) {
      await stage.page.route('**/create-handoff', (route) => route.abort('connectionrefused'))
      await showCode(stage)
    },
  },
  {
    name: 'handoff-number',
    seen: state('numberCheck'),
    drive: (stage) => onPhone(stage, async () => {}),
  },
  {
    name: 'handoff-not-mine',
    seen: state('moved'),
    drive: (stage) =>
      onPhone(stage, (phone) => phone.getByRole('button', { name: 'No', exact: true }).click()),
  },
  {
    name: 'handoff-taken-back',
    seen: state('moved'),
    drive: (stage) =>
      onPhone(stage, async (phone, desk) => {
        await desk.locator(state('following')).waitFor()
        await desk.getByRole('button', { name: 'Use this device' }).click()
        await desk.locator(state('consent')).waitFor()
        await phone.reload()
      }),
  },
  {
    name: 'handoff-code-entry',
    seen: state('codeEntry'),
    async drive({ page, site }) {
      await page.goto(`${site.product.address}/handoff`)
    },
  },
  {
    name: 'handoff-code-wrong',
    seen: `${state('codeEntry')} [aria-invalid="true"]`,
    async drive({ page, site }) {
      await page.goto(`${site.product.address}/handoff#AAAAAAAAAA`)
    },
  },
  {
    name: 'following',
    seen: `${state('following')}[data-phase="taken"]`,
    async drive(stage) {
      await showCode(stage)
      await takeOver(await phoneOf(stage.context), stage.page)
    },
  },
  {
    name: 'following-actions',
    seen: `${state('following')}[data-phase="acting"]`,
    async drive(stage) {
      await showCode(stage)
      await stage.page.route('**/get-session', async (route) => {
        const answer = await route.fetch()
        const handoff = { isHeldHere: false, number: '42', actionsDone: 1 }
        await route.fulfill({
          response: answer,
          json: { ...(await answer.json()), state: 'Started', handoff },
        })
      })
    },
  },
]

async function showCode({ open, page }: Stage, more = '', button = 'Use my phone'): Promise<void> {
  await open(everything, more)
  await page.getByRole('button', { name: button }).click()
}

/** The scene's page is the phone. A separate desktop shows the code. */
async function onPhone(stage: Stage, act: (phone: Page, desk: Page) => Promise<void>): Promise<void> {
  const desk = await phoneOf(stage.context)
  await desk.goto(await stage.link(balanced))
  await desk.getByRole('button', { name: 'Use my phone' }).click()
  await takeOver(stage.page, desk)
  await act(stage.page, desk)
}

/** A page on another device that shares no state with the first. */
async function phoneOf(context: BrowserContext): Promise<Page> {
  const browser = context.browser() as Browser
  const other = await browser.newContext({ serviceWorkers: 'block' })
  context.on('close', () => void other.close())
  return other.newPage()
}
