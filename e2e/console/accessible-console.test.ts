import { faultsOf } from '../support/accessibility.ts'
import { endedSession, enterConsole, testClient } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { isLong, long, some } from '../support/length.ts'

const pages = [
  'overview',
  'sessions?verificationResult=Fail',
  'review',
  'verifications',
  'collections',
  'collections/members',
  'kiosks',
  'developers/keys',
  'developers/clients',
  'developers/endpoints',
  'developers/deliveries',
  'developers/requests',
  'developers/playground',
  'developers/explore/createSession',
  'developers/rotation',
  'settings/account',
  'settings/people',
  'settings/audit',
  'settings/passkeys',
  'settings/devices',
] as const

const looks = [
  { width: 320, colorScheme: 'dark', locale: 'de' },
  { width: 1280, colorScheme: 'light', locale: 'en' },
  { width: 768, colorScheme: 'dark', locale: 'ar' },
  { width: 390, colorScheme: 'light', locale: 'ja' },
  { width: 2560, colorScheme: 'light', locale: 'en' },
] as const

/** The short form checks every page in the first variant, every third page in the second, and none in the others. */
function pagesIn(look: number, paths: readonly string[]): readonly string[] {
  return isLong || look === 0 ? paths : paths.filter((_, index) => index % 3 === 0)
}

test.use({ settings: { OPENID_PROVIDER: 'on' } })

for (const [look, { width, colorScheme, locale }] of some(looks, 2).entries()) {
  test(
    `every page of the console is accessible and has no overflow: ${width} px, ${colorScheme}, ${locale}`,
    long,
    async ({ freshSite: site, browser }) => {
      const { client } = await testClient(site)
      const { verificationId } = await client.configuration.createVerification({
        name: 'Sign-up',
        verificationConfig: { verifierConfigs: { liveness: { type: 'Verification' } } },
      })
      await client.faceRecognition.createCollection({ collectionId: 'members' })
      await client.configuration.createKiosk({ name: 'Front desk', verificationId })
      const redirectUris = ['https://shop.example/signed-in', 'http://localhost:3000/a/rather/long/way/back']
      await client.configuration.createOpenidClient({ name: 'Shop', redirectUris, verificationId })
      const failed = await endedSession(client, {
        externalId: 'user-42',
        result: 'lowQuality',
        verificationId,
      })
      await endedSession(client, { externalId: 'user-43', result: 'passed', verificationId })
      const context = { viewport: { width, height: 800 }, colorScheme }
      const { page, show } = await enterConsole(site, browser, 'Looks', { context })
      const origin = new URL(page.url()).origin
      await show('Test')
      const chosen = JSON.stringify({ language: locale })
      await page.evaluate((preferences) => localStorage.setItem('console', preferences), chosen)
      const faults: string[] = []
      const paths = [...pages, `sessions/${failed}`, `verifications/${verificationId}`]
      for (const path of pagesIn(look, paths)) {
        await page.goto(`${origin}/console/${path}`)
        await page.locator('h1').waitFor()
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
        await expect(page.locator('html')).toHaveAttribute('lang', locale)
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (wide > 0) faults.push(`${path}: ${wide} px too wide`)
        faults.push(...(await faultsOf(page)).map((fault) => `${path}: ${fault}`))
      }
      expect(faults).toEqual([])
    },
  )
}
