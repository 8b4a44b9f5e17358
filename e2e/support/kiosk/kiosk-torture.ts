import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { type Clip, hasFootage, loadClip, stillClip } from '../acted/clips.ts'
import { createCheck, type Site } from '../acted/scenario.ts'
import { launchBrowser } from '../browser.ts'
import { startProduct, startReceiver } from '../product.ts'
import { state } from '../scenes/scene.ts'
import { type Arrival, untilArrived } from './kiosk-arrivals.ts'
import {
  atRest,
  beginVisit,
  clearAnswer,
  type KioskDevice,
  listedKiosk,
  makeKiosk,
  openDevice,
  pairDevice,
  visitKiosk,
} from './kiosk-device.ts'

/** The fate of the captures on a kiosk that was killed repeatedly. */
export interface Survival {
  /** The kiosk's answers in order. A capture counts as acknowledged once its answer is shown. */
  readonly acknowledged: readonly string[]
  /** How many captures were being stored when the browser was killed, so that their fate is unknown. */
  readonly unknown: number
  readonly arrivals: readonly Arrival[]
  readonly receivedCount: number
}

/** When the browser is killed. `acting`: during the challenge; `sending`: while the capture is being stored; `acknowledged`: as soon as the answer is shown. */
const moments = ['acknowledged', 'sending', 'acting'] as const
type Moment = (typeof moments)[number]

interface Endings {
  readonly checks: VerificationConfig['verifierConfigs']
  readonly visits: number
  readonly kills: number
}

/**
 * Pairs a kiosk, stops its server, checks several people while killing the browser with SIGKILL during some of
 * the visits, and starts the server again.
 */
export async function surviveKills(
  site: Site,
  device: KioskDevice,
  { checks, visits, kills }: Endings,
  onOffline: () => Promise<void> = async () => {},
): Promise<Survival> {
  const kiosk = await makeKiosk(site, await createCheck(site, checks))
  await pairDevice(device, kiosk)
  await site.product.pause()
  const acknowledged: string[] = []
  let unknown = 0
  const killEvery = Math.max(1, Math.floor(visits / kills))
  for (let visit = 0, killed = 0; acknowledged.length < visits; visit++) {
    if (killed < kills && visit % killEvery === killEvery - 1) {
      const moment = moments[killed++ % moments.length]!
      await killDuring(device, moment, acknowledged)
      if (moment === 'sending') unknown++
      await device.start()
      await atRest(device.page())
      continue
    }
    acknowledged.push(await visitKiosk(device.page()))
    await clearAnswer(device.page())
  }
  await onOffline()
  await site.product.resume()
  const arrivals = await untilArrived(site, kiosk.kioskId, acknowledged.length)
  await device.page().locator('[data-waiting="0"]').waitFor({ timeout: 60_000 })
  const { receivedCount } = await listedKiosk(site, kiosk.kioskId)
  const settled =
    receivedCount > arrivals.length ? await untilArrived(site, kiosk.kioskId, receivedCount) : arrivals
  return { acknowledged: acknowledged, unknown, arrivals: settled, receivedCount }
}

async function killDuring(device: KioskDevice, moment: Moment, acknowledged: string[]): Promise<void> {
  const page = device.page()
  await beginVisit(page)
  const screen = { acknowledged: 'answer', sending: 'sending', acting: 'action' }[moment]
  await untilShown(page, screen)
  if (moment === 'acknowledged') acknowledged.push(await page.getByRole('heading', { level: 1 }).innerText())
  await device.kill()
}

/** Waits for a screen in the page itself, because a capture may be stored between two looks from outside. */
async function untilShown(page: Page, screen: string): Promise<void> {
  const shown = page.evaluate((selector) => {
    return new Promise<void>((resolve) => {
      const look = () => document.querySelector(selector) !== null && resolve()
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
      look()
    })
  }, state(screen))
  const late = pause(90_000, undefined, { ref: false }).then(async () => {
    throw new Error(`no screen ${screen}: ${await page.locator('main').innerText()}`)
  })
  await Promise.race([shown, late])
}

/** A person who performs requested actions, if there is footage; otherwise a still picture, which fails the challenge but still results in a capture. */
async function whoever(browser: Browser): Promise<Clip> {
  return hasFootage ? loadClip(browser, 'Krzysiek354_real.webm') : stillClip()
}

export async function deviceAt(site: Site, browser: Browser): Promise<KioskDevice> {
  return openDevice(site.product.address, await whoever(browser))
}

/** Provides `use` with a browser, a product, a receiver and a tablet. */
export async function withDevice<T>(use: (site: Site, device: KioskDevice) => Promise<T>): Promise<T> {
  const browser = await launchBrowser()
  const receiver = await startReceiver()
  const product = await startProduct({ CHALLENGE_ACTIONS: 'turnLeft,turnRight,lookUp' })
  const site = { product, receiver }
  const device = await deviceAt(site, browser)
  try {
    return await use(site, device)
  } finally {
    await device.discard()
    await browser.close()
    await product.stop()
    await receiver.stop()
  }
}
