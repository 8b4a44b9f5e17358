import type { Browser, BrowserContext, Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { installActor } from './support/acted/actor.ts'
import { hasFootage, loadClip } from './support/acted/clips.ts'
import { begin, comeBack, createCheck, type Site, signLink } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { readCodeOf, takeOver } from './support/handoff.ts'
import { long } from './support/length.ts'
import { hang } from './support/scenes/scene.ts'
import { problemOf } from './support/scenes/scripted.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Advanced' } } as const
const desktop = { viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' } as const
const mobile = { viewport: { width: 390, height: 844 }, serviceWorkers: 'block' } as const

/** Devices that share no state. They are closed after each test. */
const devices: BrowserContext[] = []
test.afterEach(async () => {
  await Promise.all(devices.splice(0).map((device) => device.close()))
})

async function device(browser: Browser, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await browser.newContext(options)
  devices.push(context)
  // Only the first test needs the networks, which take longer to load than everything else.
  await context.route(networks, hang)
  return context.newPage()
}

/** A desktop that displays the code. */
async function openDesk(site: Site, browser: Browser, colorScheme: 'light' | 'dark' = 'light') {
  const desk = await device(browser, { ...desktop, colorScheme })
  await desk.goto(await signLink(site, await createCheck(site, liveness), '&order=7'))
  await desk.getByRole('button', { name: 'Use my phone' }).click()
  return desk
}

async function decline(phone: Page): Promise<void> {
  await phone.getByRole('button', { name: 'I don’t agree' }).click()
  await phone.getByRole('button', { name: 'Stop the check' }).click()
}

/** Follows the redirect without waiting for the page to do it. */
async function comeBackTo(site: Site, desk: Page) {
  void desk
    .getByRole('button', { name: /^Back to/ })
    .click({ timeout: 60_000 })
    .catch(() => undefined)
  return comeBack(site, desk)
}

const worthless = 'This code no longer works'
const networks = /\.(onnx|wasm)$/
const inState = (name: string) => `[data-state="${name}"]`

test('a person without a camera scans the code, performs the check on the phone, and continues on the desktop', async ({
  freshSite: site,
  browser,
}) => {
  test.skip(!hasFootage, 'needs the footage of ../shared/data')
  const desk = await device(browser, desktop)
  await desk.addInitScript(() => {
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', {
      value: () => Promise.reject(new DOMException('no camera', 'NotFoundError')),
    })
  })
  await desk.goto(await signLink(site, await createCheck(site, liveness), '&order=7'))
  await begin(desk)
  await expect(desk.getByRole('heading', { name: 'No camera found' })).toBeVisible()
  await desk.getByRole('button', { name: 'Use my phone' }).click()

  const phone = await device(browser, mobile)
  await phone.context().unroute(networks)
  await installActor(phone.context(), await loadClip(browser, 'Krzysiek354_real.webm'), { manner: 'asked' })
  await takeOver(phone, desk)
  const number = await phone.locator('.number').innerText()
  await expect(desk.getByRole('heading', { name: 'Opened on your other screen' })).toBeVisible()
  await expect(desk.locator('.number')).toHaveText(number)
  await expect(phone.getByText('Selfsame asks for a face check')).toBeVisible()
  await phone.getByRole('button', { name: 'Yes, the same' }).click()
  await begin(phone)
  await expect(desk.locator(`${inState('following')}[data-phase="acting"]`)).toBeVisible({
    timeout: 60_000,
  })
  await expect(desk.getByText(/^[123] of 3$/)).toBeVisible({ timeout: 60_000 })

  const { returned, signature, parameters, result } = await comeBackTo(site, desk)
  expect([returned, signature, parameters.get('order')]).toEqual(['passed', 'Valid', '7'])
  expect(result.livenessVerificationResult).toBe('Pass')
  await site.receiver.next(result.verificationSessionId)
  await expect(phone.getByRole('heading', { name: 'All done' })).toBeVisible()
  await expect(phone.getByText('Go back to your other screen')).toBeVisible()
  await phone.waitForTimeout(5000)
  expect(phone.url()).toBe(`${site.product.address}/handoff`)
})

test('the code can be read from a dark screen', long, async ({ site, browser }) => {
  const desk = await openDesk(site, browser, 'dark')
  const phone = await device(browser, mobile)
  await takeOver(phone, desk)
  await expect(phone.locator('.number')).toBeVisible()
})

test('the code is in the address after #, and is not sent to the server', long, async ({ site, browser }) => {
  const desk = await openDesk(site, browser)
  const address = await readCodeOf(desk)
  expect(address).toMatch(new RegExp(`^${site.product.address}/handoff#[0-9A-Z]{10}$`))
  const phone = await device(browser, mobile)
  const asked: string[] = []
  phone.on('request', (request) => asked.push(request.url(), JSON.stringify(request.headers())))
  await phone.goto(address)
  await phone.locator(inState('numberCheck')).waitFor()
  expect(asked.join(' ')).not.toContain(address.split('#')[1])
  expect(phone.url()).toBe(`${site.product.address}/handoff`)
})

test('a used code does not open on a second phone, which accepts another code', async ({ site, browser }) => {
  const desk = await openDesk(site, browser)
  const address = await readCodeOf(desk)
  await (await device(browser, mobile)).goto(address)
  await desk.locator(inState('following')).waitFor()
  const second = await device(browser, mobile)
  await second.goto(address)
  await expect(second.getByRole('paragraph').filter({ hasText: worthless })).toBeVisible()
  await desk.getByRole('button', { name: 'Show a new code' }).click()
  const typed = (await desk.locator('strong.code').innerText()).toLowerCase().replace('-', ' ')
  await second.getByLabel('Code').fill(typed)
  await second.keyboard.press('Enter')
  await expect(second.locator(inState('numberCheck'))).toBeVisible()
})

test('an expired code is replaced and no longer works', long, async ({ site, browser }) => {
  const desk = await device(browser, desktop)
  await desk.clock.install()
  await desk.goto(await signLink(site, await createCheck(site, liveness)))
  await desk.getByRole('button', { name: 'Use my phone' }).click()
  const former = await readCodeOf(desk)
  const shown = await desk.locator('strong.code').innerText()
  await desk.clock.fastForward('03:01')
  await expect(desk.locator('strong.code')).not.toHaveText(shown)
  const phone = await device(browser, mobile)
  await phone.goto(former)
  await expect(phone.getByRole('paragraph').filter({ hasText: worthless })).toBeVisible()
  await phone.goto(await readCodeOf(desk))
  await expect(phone.locator(inState('numberCheck'))).toBeVisible()
})

test("the desktop's token cannot submit once a phone has the session", async ({ site, browser }) => {
  const desk = await openDesk(site, browser)
  await takeOver(await device(browser, mobile), desk)
  const bearer = await desk.evaluate(
    () => JSON.parse(sessionStorage.getItem('selfsame:session')!).token as string,
  )
  const { address } = site.product
  const frames = [{ bytes: '/9j/2Q==', time: 0 }]
  const consent = { given: false, wordingVersion: '1', locale: 'en' }
  const credential = { bearer }
  for (const attempt of [
    () => call(fetch, address, submitStep, { credential, body: { step: 0, frames } }),
    () => call(fetch, address, submitSession, { credential, body: { frames: [], consent } }),
  ]) {
    expect(await problemOf(attempt())).toMatchObject({ code: 'session_handed_over' })
  }
})

test('both phone and desktop survive a reload', long, async ({ site, browser }) => {
  const desk = await openDesk(site, browser)
  const phone = await device(browser, mobile)
  await takeOver(phone, desk)
  await phone.reload()
  await phone.getByRole('button', { name: 'Yes, the same' }).click()
  await phone.getByRole('button', { name: 'Agree and continue' }).click()
  await phone.reload()
  await expect(phone.getByRole('button', { name: 'Start camera' })).toBeVisible()
  await expect(phone.getByRole('button', { name: 'Use my phone' })).toHaveCount(0)
  await desk.locator(inState('following')).waitFor()
  await desk.reload()
  await expect(desk.getByRole('heading', { name: 'Opened on your other screen' })).toBeVisible()
})

test('a lost phone is replaced by another one, whose result counts', long, async ({ site, browser }) => {
  const desk = await openDesk(site, browser)
  const lost = await device(browser, mobile)
  await takeOver(lost, desk)
  await lost.close()
  await desk.getByRole('button', { name: 'Show a new code' }).click()
  const phone = await device(browser, mobile)
  await takeOver(phone, desk)
  await phone.getByRole('button', { name: 'Yes, the same' }).click()
  await decline(phone)
  await expect(phone.getByText('Go back to your other screen')).toBeVisible()
  const { returned, result } = await comeBackTo(site, desk)
  expect(returned).toBe('failed')
  expect(result.verificationFailedReasons).toEqual(['consentDeclined'])
})

test('the desktop takes the check back, and the phone shows that', long, async ({ site, browser }) => {
  const desk = await openDesk(site, browser)
  const phone = await device(browser, mobile)
  await takeOver(phone, desk)
  await desk.getByRole('button', { name: 'Use this device' }).click()
  await desk.getByRole('button', { name: 'Agree and continue' }).click()
  await expect(desk.getByRole('button', { name: 'Start camera' })).toBeVisible()
  await phone.getByRole('button', { name: 'Yes, the same' }).click()
  await decline(phone)
  await expect(phone.getByRole('heading', { name: 'The check continues elsewhere' })).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Start camera' })).toBeVisible()
})

test(
  'a person who sees a different number returns the check, and the desktop shows a new code',
  long,
  async ({ site, browser }) => {
    const desk = await openDesk(site, browser)
    const phone = await device(browser, mobile)
    await takeOver(phone, desk)
    await desk.locator(inState('following')).waitFor()
    await phone.getByRole('button', { name: 'No', exact: true }).click()
    await expect(phone.getByRole('heading', { name: 'No check was made' })).toBeVisible()
    await desk.locator(inState('handoff')).waitFor()
    await takeOver(await device(browser, mobile), desk)
  },
)

test('leaving on the desktop ends the check, even if a phone has it', long, async ({ site, browser }) => {
  const desk = await openDesk(site, browser)
  await takeOver(await device(browser, mobile), desk)
  await desk.locator(inState('following')).waitFor()
  await desk.getByRole('button', { name: 'Stop the check' }).click()
  await desk.getByRole('button', { name: /^Back to/ }).click()
  const { returned, result } = await comeBack(site, desk)
  expect(returned).toBe('failed')
  expect(result.verificationFailedReasons).toEqual(['consentDeclined'])
})
