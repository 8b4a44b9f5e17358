import type { Browser } from '@playwright/test'
import { startFilledConsole } from '#lab/visits/filled/filled-console.ts'
import { writePicture } from './write-picture.ts'

const size = { width: 1200, height: 750 }

/** The console's overview after a week of visits, with the built pages. */
export async function drawConsole(browser: Browser): Promise<string> {
  const filled = await startFilledConsole()
  const context = await browser.newContext({ locale: 'en', viewport: size })
  try {
    await filled.signIn(context)
    const page = await context.newPage()
    await page.goto(`${filled.address}/overview`)
    await page.locator('.plot canvas').waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    const input = await page.screenshot({ animations: 'disabled' })
    return await writePicture('console.png', { ...size, pieces: [{ input, left: 0, top: 0 }] }, size.width)
  } finally {
    await context.close()
    await filled.stop()
  }
}
