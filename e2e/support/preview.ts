import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { build, type PreviewServer, preview } from 'vite'
import { photograph } from './acted/clips.ts'

/** Shows any of the page's screens by name, without a session. */
export interface Preview {
  readonly screens: readonly string[]
  /** Shows a screen in a language with a real face in the camera, and waits until it is complete. */
  open(page: Page, screen: string, locale?: string, more?: string): Promise<void>
  /** Renders the open screen again in another language. */
  again(page: Page, locale: string): Promise<void>
  /** A screen's address in a language, for use in any browser. */
  addressOf(screen: string, locale: string): string
  stop(): Promise<void>
}

/** The functions that the preview's document provides. */
interface Drawn {
  drawAgain(locale: string): Promise<void>
}

const settings = { configFile: 'vite.config.ts', logLevel: 'error' } as const

/** Builds the preview in a separate folder, because other workers may be doing so at the same time, and opens it. */
export async function startPreview(browser: Browser): Promise<Preview> {
  await mkdir('.cache', { recursive: true })
  const folder = await mkdtemp(join('.cache', 'preview-'))
  await buildPreview(folder)
  const preview = await openPreview(browser, folder)
  const stop = () => preview.stop().then(() => rm(folder, { recursive: true, force: true }))
  return { ...preview, stop }
}

export async function buildPreview(folder: string): Promise<void> {
  const outDir = resolve(folder)
  await build({
    ...settings,
    build: { outDir, emptyOutDir: true, rollupOptions: { input: 'web/preview.html' } },
  })
  await writeFile(join(outDir, 'face.jpg'), await selfie())
}

/** Serves a built preview from a free port on this machine. */
export async function openPreview(browser: Browser, folder: string): Promise<Preview> {
  const outDir = resolve(folder)
  const server = await preview({ ...settings, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  const address = `${originOf(server)}/preview.html`
  const addressOf = (screen: string, locale: string) =>
    `${address}?screen=${screen}&locale=${locale}&face=/face.jpg`

  async function open(page: Page, screen: string, locale = 'en', more = ''): Promise<void> {
    await page.goto(addressOf(screen, locale) + more)
    await wholeOn(page)
  }

  async function again(page: Page, locale: string): Promise<void> {
    await page.evaluate((to) => (window as unknown as Drawn).drawAgain(to), locale)
    await wholeOn(page)
  }

  return {
    screens: await listOf(browser, address),
    open,
    again,
    addressOf,
    stop: () => server.close(),
  }
}

async function wholeOn(page: Page): Promise<void> {
  await page.locator('[data-state] h1').waitFor()
  await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())))
}

function originOf({ resolvedUrls }: PreviewServer): string {
  return resolvedUrls!.local[0]!.replace(/\/$/, '')
}

async function listOf(browser: Browser, address: string): Promise<string[]> {
  const page = await browser.newPage()
  await page.goto(address)
  const names = await page.getByRole('link').allTextContents()
  await page.close()
  expect(names.length).toBeGreaterThan(0)
  return names
}

/** The openly licensed photograph, as a camera in portrait format would see it. */
async function selfie(): Promise<Buffer> {
  return sharp(await readFile(photograph))
    .extract({ left: 132, top: 0, width: 180, height: 240 })
    .resize(720, 960)
    .jpeg({ quality: 90 })
    .toBuffer()
}
