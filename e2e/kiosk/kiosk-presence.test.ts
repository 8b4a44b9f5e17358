import type { Page } from '@playwright/test'
import { begin, createCheck } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { atRest, type KioskDevice, makeKiosk, pairDevice, passTime } from '../support/kiosk/kiosk-device.ts'
import { deviceAt } from '../support/kiosk/kiosk-torture.ts'
import { long } from '../support/length.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

/** Generous, because performance is not tested here. */
const slow = { timeout: 120_000 }

declare global {
  interface Window {
    locks: WakeLockSentinel[]
  }
}

/** Records all wake locks from the next page load on. */
async function noteWakeLocks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.locks = []
    const real = navigator.wakeLock.request.bind(navigator.wakeLock)
    navigator.wakeLock.request = async (type) => {
      const lock = await real(type)
      window.locks.push(lock)
      return lock
    }
  })
}

test.describe('a kiosk with people coming and going', () => {
  test.describe.configure({ mode: 'serial' })
  let device: KioskDevice
  const page = () => device.page()
  const press = (name: string) => page().getByRole('button', { name, exact: true }).click()
  const heading = (name: string) => page().getByRole('heading', { level: 1, name })
  const state = (name: string) => page().locator(`[data-state="${name}"]`)
  const isWhole = () => page().evaluate(() => document.fullscreenElement === document.documentElement)
  const isAwake = () => page().evaluate(() => window.locks.some(({ released }) => !released))
  /** The person moves out of the picture. */
  const walkAway = () => page().evaluate(() => window.actor.spoil('brightness(0)'))
  const camerasOn = () => page().evaluate(() => window.actor.tracksOn())
  /** A prompt stays for twenty seconds with the camera off. */
  const forgotten = async () => {
    await passTime(page(), 17_000)
    await page().waitForTimeout(1000)
    await expect(state('stillThere')).toBeVisible()
    await passTime(page(), 3000)
    await expect(state('attract')).toBeVisible(slow)
    await expect(page().locator('video')).toHaveCount(0)
    expect(await camerasOn()).toBe(0)
    await expect(page().locator('[data-waiting="0"]')).toBeVisible()
    await page().evaluate(() => window.actor.spoil(''))
  }

  test.beforeAll(async ({ site, host }) => {
    device = await deviceAt(site, host)
    await noteWakeLocks(page())
    await page().reload()
    await pairDevice(device, await makeKiosk(site, await createCheck(site, liveness)))
  })

  test.afterAll(() => device.discard())

  test('enters full screen with the touch that begins a check, and again after it was left', async () => {
    expect(await isWhole()).toBe(false)
    await press('Start')
    await expect.poll(isWhole).toBe(true)
    await press('I don’t agree')
    await press('Done')
    await page().evaluate(() => document.exitFullscreen())
    await expect.poll(isWhole).toBe(false)
    await press('Start')
    await expect.poll(isWhole).toBe(true)
    await press('I don’t agree')
    await press('Done')
    await atRest(page())
  })

  test('keeps the screen on, even after the page was hidden', async () => {
    expect(await isAwake()).toBe(true)
    // A hidden page loses its lock, and gets an event when it becomes visible again.
    await page().evaluate(async () => {
      await Promise.all(window.locks.map((lock) => lock.release()))
      Object.defineProperty(document, 'hidden', { value: true, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await isAwake()).toBe(false)
    await page().evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await expect.poll(isAwake).toBe(true)
    await press('Start')
    expect(await isAwake()).toBe(true)
    await press('I don’t agree')
    await press('Done')
  })

  test('asks for a person who walks away before the camera sees them, and forgets them', long, async () => {
    await walkAway()
    await press('Start')
    await begin(page())
    await expect(heading('Still there?')).toBeVisible(slow)
    expect(await camerasOn()).toBe(0)
    await forgotten()
  })

  test(
    'continues with a person who returns, and forgets one who walks away during an action',
    long,
    async () => {
      await press('Start')
      await begin(page())
      await expect(state('action')).toBeVisible(slow)
      await walkAway()
      await expect(heading('Still there?')).toBeVisible(slow)
      await press('I’m here')
      await expect(state('stillThere')).toHaveCount(0)
      await expect(heading('Still there?')).toBeVisible(slow)
      await forgotten()
    },
  )

  test('clears an answer by itself, and keeps it for a minute on request', long, async () => {
    await press('Start')
    await begin(page())
    await expect(state('answer')).toBeVisible(slow)
    await press('Keep showing')
    // Without a touch, the screen is cleared after ten seconds.
    for (const milliseconds of [15_000, 40_000]) {
      await passTime(page(), milliseconds)
      await page().waitForTimeout(1000)
      await expect(state('answer')).toBeVisible()
    }
    await passTime(page(), 5000)
    await expect(state('attract')).toBeVisible(slow)
  })
})
