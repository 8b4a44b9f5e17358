import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import { call } from '#shared/call.ts'
import { updateAccount } from '#shared/contract/account/account.ts'
import { profileOptions } from '../support/browser.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'
import { decline, inFrame, kept, openShop } from '../support/shop.ts'

test('a frame on another site works without any storage', async ({ site, page }) => {
  await page.addInitScript(() => {
    if (globalThis.self === globalThis.top) return
    for (const name of ['sessionStorage', 'localStorage', 'indexedDB', 'caches'])
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('refused', 'SecurityError')
        },
      })
  })
  const { server, origin } = await openShop(site, inFrame)
  const elsewhere = origin.replace('127.0.0.1', 'localhost')
  const { address, apiKey } = site.product
  await call(fetch, address, updateAccount, { credential: { apiKey }, body: { embedOrigins: [elsewhere] } })
  await page.goto(elsewhere)
  await page.getByRole('button', { name: 'Check me' }).click()
  await decline(page.frameLocator('iframe'))
  await expect.poll(() => kept(page, 'outcome')).toMatchObject({ parameters: { order: '7' } })
  server.close()
})

/** A window in full Chromium, which denies storage to third-party frames. */
async function withoutStorage(): Promise<BrowserContext> {
  return (await chromium.launch(profileOptions)).newContext()
}

/** A browser that partitions third-party storage, as most browsers do. */
async function withPartitions(folder: string): Promise<BrowserContext> {
  await mkdir(join(folder, 'Default'), { recursive: true })
  const profile = { cookie_controls_mode: 0, block_third_party_cookies: false }
  await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }))
  const args = profileOptions.args.map((arg) => arg.replace(',ThirdPartyStoragePartitioning', ''))
  return chromium.launchPersistentContext(folder, { ...profileOptions, args })
}

for (const storage of ['refuses', 'keeps apart'] as const)
  test(
    `a frame on another site continues after a reload if its browser ${storage}`,
    long,
    async ({ site }, info) => {
      const context =
        storage === 'refuses' ? await withoutStorage() : await withPartitions(info.outputPath('profile'))
      const page = await context.newPage()
      const { server, origin } = await openShop(site, inFrame)
      const elsewhere = origin.replace('127.0.0.1', 'localhost')
      const { address, apiKey } = site.product
      await call(fetch, address, updateAccount, {
        credential: { apiKey },
        body: { embedOrigins: [elsewhere] },
      })
      await page.goto(elsewhere)
      await page.getByRole('button', { name: 'Check me' }).click()
      const view = page.frameLocator('iframe')
      await view.getByRole('button', { name: 'Agree and continue' }).click()
      await expect(view.getByRole('button', { name: 'Start camera' })).toBeVisible()
      const frame = page.frames().at(-1)!
      const refused = await frame.evaluate(() => {
        try {
          return sessionStorage === null
        } catch {
          return true
        }
      })
      expect(refused).toBe(storage === 'refuses')
      await frame.evaluate(() => location.reload())
      // The consent was lost with the storage, so it is requested again.
      if (refused) await view.getByRole('button', { name: 'Agree and continue' }).click()
      await expect(view.getByRole('button', { name: 'Start camera' })).toBeVisible()
      await view.getByRole('button', { name: 'Stop the check' }).click()
      await view.getByRole('button', { name: /^Back to/ }).click()
      await expect.poll(() => kept(page, 'outcome')).toMatchObject({ parameters: { order: '7' } })
      server.close()
      await (context.browser() ?? context).close()
    },
  )
