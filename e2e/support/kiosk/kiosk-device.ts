import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { call } from '#shared/call.ts'
import { createKiosk, getAllKiosks } from '#shared/contract/kiosk/kiosk.ts'
import type { ResultOf } from '#shared/endpoint.ts'
import { installActor } from '../acted/actor.ts'
import type { Clip } from '../acted/clips.ts'
import type { Site } from '../acted/scenario.ts'
import { profileOptions } from '../browser.ts'

/** A tablet, simulated by a browser with a persistent profile. */
export interface KioskDevice {
  readonly profile: string
  /** The current kiosk window, which changes with each start. */
  page(): Page
  context(): BrowserContext
  /** Starts the browser with its stored profile. */
  start(): Promise<void>
  /** Kills the browser's process, as a power failure would. */
  kill(): Promise<void>
  /** Closes the browser and deletes the profile. */
  discard(): Promise<void>
}

type Made = ResultOf<typeof createKiosk>
type Listed = ResultOf<typeof getAllKiosks>['kiosks'][number]

/** A tablet with an acted camera that opens a server's kiosk page. */
export async function openDevice(address: string, clip: Clip): Promise<KioskDevice> {
  const profile = await mkdtemp(join(tmpdir(), 'selfsame-kiosk-'))
  let context: BrowserContext | undefined
  let page: Page | undefined
  const device: KioskDevice = {
    profile,
    page: () => page!,
    context: () => context!,
    async start() {
      context = await chromium.launchPersistentContext(profile, {
        ...profileOptions,
        viewport: { width: 810, height: 1080 },
        serviceWorkers: 'allow',
      })
      await installActor(context, clip, { manner: 'asked' })
      page = await context.newPage()
      await page.goto(`${address}/kiosk`)
    },
    async kill() {
      const closed = new Promise((resolve) => context!.once('close', resolve))
      process.kill(await browserProcess(profile), 'SIGKILL')
      await closed
    },
    async discard() {
      await context?.close()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  await device.start()
  return device
}

/** The id of the main process that uses this profile, not of its children. */
async function browserProcess(profile: string): Promise<number> {
  for (const id of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const words = (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).split('\0')
    if (words.includes(`--user-data-dir=${profile}`) && !words.some((word) => word.startsWith('--type='))) {
      return Number(id)
    }
  }
  throw new Error('the browser of the profile does not run')
}

export function makeKiosk({ product }: Site, verificationId: string): Promise<Made> {
  return call(fetch, product.address, createKiosk, {
    credential: { apiKey: product.apiKey },
    body: { name: 'Front desk', verificationId, locale: 'en' },
  })
}

/** The kiosk as an admin sees it. */
export async function listedKiosk({ product }: Site, kioskId: string): Promise<Listed> {
  const credential = { apiKey: product.apiKey }
  const { kiosks } = await call(fetch, product.address, getAllKiosks, { credential })
  return kiosks.find((kiosk) => kiosk.kioskId === kioskId)!
}

/** Goes from the code to the attract screen, setting a staff PIN. */
export async function pairDevice({ page }: KioskDevice, { pairingCode }: Made): Promise<void> {
  await page().getByRole('textbox', { name: 'Code' }).fill(pairingCode.toLowerCase())
  await page().getByRole('button', { name: 'Pair', exact: true }).click()
  await page().getByLabel('PIN', { exact: true }).fill('2468')
  await page().getByLabel('The same PIN again').fill('2468')
  await page().getByRole('button', { name: 'Save the PIN' }).click()
  await atRest(page())
}

/** Waits for the attract screen, which means that all files are stored and the next person can begin. */
export async function atRest(page: Page): Promise<void> {
  const words = () => page.locator('main').innerText()
  await page.waitForSelector('[data-state="attract"]', { timeout: 90_000 }).catch(async () => {
    throw new Error(`the kiosk is not at rest: ${await words()}`)
  })
}

/** Goes from the attract screen to the running camera. */
export async function beginVisit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('button', { name: 'Agree and continue' }).click()
  await page.getByRole('button', { name: 'Start camera' }).click()
}

/** Makes one visit and returns the heading of the kiosk's answer. */
export async function visitKiosk(page: Page): Promise<string> {
  await beginVisit(page)
  await page.waitForSelector('[data-state="answer"]', { timeout: 90_000 })
  return page.getByRole('heading', { level: 1 }).innerText()
}

/** Leaves the answer. It also disappears after ten seconds, because a busy machine may be too late to press a button. */
export async function leaveAnswer(page: Page): Promise<void> {
  const done = page.getByRole('button', { name: 'Done', exact: true })
  await done.click({ timeout: 15_000 }).catch(async (error) => {
    if (await done.isVisible()) throw error
  })
}

/** Clears the answer for the next person. */
export async function clearAnswer(page: Page): Promise<void> {
  await leaveAnswer(page)
  await atRest(page)
}

/** Sets a page's clock back by this number of seconds, starting with its next load. */
export async function setClockBack(page: Page, seconds: number): Promise<void> {
  await page.addInitScript((milliseconds) => {
    const real = Date.now
    Date.now = () => real() - milliseconds
  }, seconds * 1000)
}

/** Stops a page's clock during `work`, even across reloads. The next load after that uses the device's clock. */
export async function whileClockStands(page: Page, work: () => Promise<void>): Promise<void> {
  const key = 'clock-stands-at'
  const stand = (key: string) => {
    const at = sessionStorage.getItem(key)
    if (at !== null) Date.now = () => Number(at)
  }
  await page.addInitScript(stand, key)
  await page.evaluate((key) => sessionStorage.setItem(key, String(Date.now())), key)
  await page.evaluate(stand, key)
  await work()
  await page.evaluate((key) => sessionStorage.removeItem(key), key)
}

/** Advances the clock of a page that has its camera off. */
export function passTime(page: Page, milliseconds: number): Promise<void> {
  return page.evaluate((more) => {
    const real = performance.now.bind(performance)
    performance.now = () => real() + more
  }, milliseconds)
}
