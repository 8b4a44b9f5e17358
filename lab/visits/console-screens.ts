import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { endedSession, enterConsole, testClient } from '../../e2e/support/console/console-visit.ts'
import { drawContactSheet, type Shot } from '../../e2e/support/contact-sheet.ts'
import { startProduct } from '../../e2e/support/product.ts'

interface Look {
  readonly sizes: readonly { readonly name: string; readonly width: number; readonly height: number }[]
  readonly locales: readonly string[]
  readonly only: readonly string[] | undefined
}

const folder = join('screens', 'console')
const themes = ['light', 'dark'] as const
const outcomes = [
  'passed',
  'ageNotMet',
  'passed',
  'livenessFailed',
  'lowQuality',
  'passed',
  'consentDeclined',
] as const

/** Takes screenshots of all the console's pages on the built product, which contains test sessions. Returns layout faults. */
export async function shootConsole(browser: Browser, { sizes, locales, only }: Look): Promise<string[]> {
  const product = await startProduct({ OPENID_PROVIDER: 'on' })
  const faults: string[] = []
  try {
    const paths = await furnish(product)
    const wanted = only === undefined ? paths : paths.filter(([name]) => only.includes(name))
    const { page, show } = await enterConsole({ product }, browser, 'Ada Lovelace')
    await show('Test')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    for (const size of sizes)
      for (const locale of locales) faults.push(...(await shootLook(page, wanted, size, locale)))
  } finally {
    await product.stop()
  }
  return faults
}

type NamedPaths = readonly (readonly [name: string, path: string])[]

/** Creates the test data and returns each page's name and path. */
async function furnish(product: Awaited<ReturnType<typeof startProduct>>): Promise<NamedPaths> {
  const { client } = await testClient({ product })
  const { verificationId } = await client.configuration.createVerification({
    name: 'Sign-up',
    verificationConfig: {
      verifierConfigs: {
        liveness: { type: 'Verification', challengeType: 'Balanced' },
        age: { type: 'ThresholdVerification', thresholdConfig: { threshold: 18, direction: 'Above' } },
      },
    },
  })
  const sessions: string[] = []
  for (let i = 0; i < 3 * outcomes.length; i++) {
    const result = outcomes[i % outcomes.length]!
    sessions.push(await endedSession(client, { externalId: `user-${i + 40}`, result, verificationId }))
  }
  await client.configuration.createKiosk({ name: 'Front desk', verificationId })
  const redirectUris = ['https://shop.example/signed-in']
  await client.configuration.createOpenidClient({ name: 'Shop', redirectUris, verificationId })
  await client.faceRecognition.createCollection({
    collectionId: 'members',
    description: 'Everybody with a card',
  })
  const events = ['VerificationCompleted' as const]
  await client.configuration.createWebhookEndpoint({ url: 'https://shop.example/events', events })
  return [
    ...['overview', 'sessions', 'review', 'verifications', 'collections', 'kiosks'].map(
      (name) => [name, name] as const,
    ),
    ['session', `sessions/${sessions[3]}`],
    ['verification', `verifications/${verificationId}`],
    ['collection', 'collections/members'],
    ...['keys', 'clients', 'endpoints', 'deliveries', 'requests', 'explore', 'rotation'].map(
      (name) => [name, `developers/${name}`] as const,
    ),
    ...['account', 'people', 'audit', 'passkeys', 'devices'].map(
      (name) => [name, `settings/${name}`] as const,
    ),
  ]
}

async function shootLook(
  page: Page,
  paths: NamedPaths,
  size: Look['sizes'][number],
  locale: string,
): Promise<string[]> {
  const faults: string[] = []
  const origin = new URL(page.url()).origin
  const shots: Record<(typeof themes)[number], Shot[]> = { light: [], dark: [] }
  await page.setViewportSize(size)
  await page.evaluate((language) => localStorage.setItem('console', JSON.stringify({ language })), locale)
  for (const [name, path] of paths) {
    await page.goto(`${origin}/console/${path}`)
    await page.locator(`html[lang="${locale}"] h1`).waitFor()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      const file = join(folder, `${name}-${size.name}-${theme}-${locale}.png`)
      shots[theme].push({ name, picture: await page.screenshot({ path: file, animations: 'disabled' }) })
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (wide > 0) faults.push(`${name}, ${size.name}, ${locale}: ${wide} px too wide`)
  }
  for (const theme of themes) {
    const file = `sheet-${size.name}-${theme}-${locale}.png`
    await writeFile(join(folder, file), await drawContactSheet(shots[theme], size))
    console.log(file)
  }
  return faults
}
