import { readFile } from 'node:fs/promises'
import { createClient } from '#shared/client/client.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { colourFaultsOf, faultsOf } from '../support/accessibility.ts'
import { hasFootage, loadClip } from '../support/acted/clips.ts'
import { createCheck, type Site, signLink, visit } from '../support/acted/scenario.ts'
import { enterConsole } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

/** An age rule that everyone in the pictures fails. Every session's pictures are kept. */
const age = {
  type: 'ThresholdVerification',
  thresholdConfig: { threshold: 5, direction: 'Below' },
} as const
const keepsAll: VerificationConfig = {
  evidenceConfig: { keep: 'all', hours: 24 },
  privacyConfig: { purpose: 'To open an account' },
}

const consent = { given: true, wordingVersion: '1', locale: 'en' }

/** Creates a failed session with a real picture, for a verification that keeps all pictures. */
async function sessionToReview({ product }: Pick<Site, 'product'>, externalId: string) {
  const client = createClient({ origin: product.address, apiKey: product.apiKey })
  const picture = (await readFile('tests/support/pictures/astronaut.png')).toString('base64')
  const { bytes, film } = await jpegsOf(picture)
  const { verificationId } = await client.configuration.createVerification({
    name: `Reviewed ${externalId}`,
    verificationConfig: { verifierConfigs: { age }, ...keepsAll },
  })
  const opened = await client.configuration.createSession({ verificationId, externalId })
  const { verificationSessionId, sessionToken } = opened
  await new Promise((later) => setTimeout(later, 1500))
  await client.session(sessionToken).submitSession({
    frames: [{ bytes, time: 2000, challengeStep: 0 }],
    trail: film.map((small, i) => ({ bytes: small, time: i * 400 })),
    consent,
  })
  return { client, verificationSessionId }
}

async function jpegsOf(base64: string) {
  const { default: sharp } = await import('sharp')
  const png = Buffer.from(base64, 'base64')
  const bytes = await sharp(png).resize(800).jpeg({ quality: 85 }).toBuffer()
  const small = await Promise.all(
    [96, 100, 104, 108].map((width) => sharp(png).resize(width).jpeg({ quality: 60 }).toBuffer()),
  )
  return { bytes: bytes.toString('base64'), film: small.map((one) => one.toString('base64')) }
}

test('a session is reviewed with its pictures, the review withdrawn, and made again; then the pictures are gone', async ({
  freshSite: site,
  browser,
}) => {
  const { client, verificationSessionId } = await sessionToReview(site, 'user-77')
  const { page, show } = await enterConsole(site, browser, 'Looks', { role: 'reviewer' })
  await show('Live')
  await page.getByRole('link', { name: 'Review', exact: true }).click()
  await expect(page.getByText('user-77', { exact: true })).toBeVisible()
  const picture = page.getByRole('img', { name: 'Picture: looks straight' })
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640)
  await expect(page.getByText('the limit is 5')).toBeVisible()
  await expect(page.getByText(/Kept until/)).toBeVisible()
  const film = page.getByRole('slider', { name: 'The film of the visit' })
  await expect(film).toBeVisible()
  await expect(page.getByText('Picture 4 of 4')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.keyboard.press('p')
  await expect(page.getByText('Passed noted. You can take it back for 10 seconds.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The decision was taken back.')).toBeVisible()
  await expect(picture).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.type('Older than five.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('f')
  await expect(page.getByText('Failed noted.')).toBeVisible()
  const { sessions } = await client.configuration.getSessions({ verificationSessionId })
  expect(sessions[0]?.review).toMatchObject({
    decision: 'Fail',
    note: 'Older than five.',
    saw: { pictures: 1, film: 4 },
  })
  await expect
    .poll(() => client.configuration.getEvidence({ verificationSessionId }).catch((gone) => gone.code), {
      timeout: 20_000,
    })
    .toBe('evidence_not_kept')
})

test(
  'a real visit is reviewed on a phone: pictures come first, keys navigate, add a note and decide, and a review is withdrawn',
  long,
  async ({ freshSite: site, browser }) => {
    test.skip(!hasFootage, 'needs the footage of ../shared/data')
    const liveness = { type: 'Verification', challengeType: 'Balanced' } as const
    const id = await createCheck(site, { age, liveness }, keepsAll)
    const link = await signLink(site, id, '&reExternalId=user-80')
    const { returned, result } = await visit(
      site,
      browser,
      link,
      await loadClip(browser, 'Krzysiek354_real.webm'),
      { manner: 'asked' },
    )
    expect(returned).toBe('failed')
    const { client } = await sessionToReview(site, 'user-79')
    const { page, show } = await enterConsole(site, browser, 'Thumbs', {
      role: 'reviewer',
      context: { viewport: { width: 390, height: 844 } },
    })
    await show('Live')
    await page.goto(`${new URL(page.url()).origin}/console/review`)
    const person = (name: string) => page.getByText(name, { exact: true })
    const straight = page.getByRole('img', { name: 'Picture: looks straight' })
    await expect(page.getByText('1 of 2')).toBeVisible()
    if (await person('user-80').isHidden()) await page.keyboard.press('j')
    else await page.keyboard.press('j').then(() => page.keyboard.press('k'))
    await expect(person('user-80')).toBeVisible()
    await expect(straight).toBeVisible()
    const small = page.locator('.thumb img')
    expect(await small.count(), 'a straight and a turned picture').toBeGreaterThanOrEqual(2)
    const lowest = (await straight.boundingBox())!
    expect(lowest.y + lowest.height).toBeLessThan((await person('user-80').boundingBox())!.y)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await faultsOf(page), colorScheme).toEqual([])
      expect(await colourFaultsOf(page), colorScheme).toEqual([])
    }
    await page.keyboard.press('n')
    await page.keyboard.type('Grown up.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await expect(page.getByText('Passed noted. You can take it back for 10 seconds.')).toBeVisible()
    await expect(person('user-79')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('The decision was taken back.')).toBeVisible()
    await expect(person('user-80')).toBeVisible()
    await page.keyboard.press('f')
    await expect(page.getByText('Failed noted.')).toBeVisible()
    const { verificationSessionId } = result
    const { sessions } = await client.configuration.getSessions({ verificationSessionId })
    expect(sessions[0]?.review).toMatchObject({ decision: 'Fail' })
    expect(sessions[0]?.review?.saw?.pictures).toBeGreaterThanOrEqual(2)
  },
)

test('the film does not play with reduced motion', long, async ({ freshSite: site, browser }) => {
  await sessionToReview(site, 'user-78')
  const { page, show } = await enterConsole(site, browser, 'Rests', {
    role: 'reviewer',
    context: { reducedMotion: 'reduce', viewport: { width: 390, height: 844 } },
  })
  await show('Live')
  await page.goto(`${new URL(page.url()).origin}/console/review`)
  await expect(page.getByText('Picture 1 of 4')).toBeVisible()
  await page.waitForTimeout(1500)
  await expect(page.getByText('Picture 1 of 4')).toBeVisible()
  await page.getByRole('button', { name: 'Play' }).click()
  await expect(page.getByText('Picture 4 of 4')).toBeVisible()
})

for (const [width, height] of [
  [1280, 800],
  [1440, 900],
] as const)
  test(`a decision is in sight at ${width}x${height}, next to a large picture and its scores, without scrolling`, async ({
    freshSite: site,
    browser,
  }) => {
    await sessionToReview(site, `user-${width}`)
    const context = { viewport: { width, height } }
    const { page, show } = await enterConsole(site, browser, 'Sits', { role: 'reviewer', context })
    await show('Live')
    await page.getByRole('link', { name: 'Review', exact: true }).click()
    const picture = page.getByRole('img', { name: 'Picture: looks straight' })
    await expect(picture).toBeVisible()
    expect((await picture.boundingBox())!.width).toBeGreaterThanOrEqual(480)
    const film = page.getByRole('img', { name: 'The film of the visit' })
    expect((await film.boundingBox())!.width).toBe((await picture.boundingBox())!.width)
    const inSight = [
      page.getByRole('button', { name: 'Pass' }),
      page.getByRole('button', { name: 'Fail' }),
      page.getByLabel('Note', { exact: true }),
      page.getByText('No endpoint hears of it.'),
      page.getByText('the limit is 5'),
      page.getByText(/This person was refused because/),
    ]
    for (const one of inSight) await expect(one).toBeInViewport({ ratio: 1 })
    expect(await faultsOf(page)).toEqual([])
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    for (const one of inSight.slice(0, 4)) await expect(one).toBeInViewport({ ratio: 1 })
  })

for (const [width, height] of [
  [1024, 768],
  [1280, 800],
  [1440, 900],
  [390, 844],
  [320, 568],
] as const)
  test(`the first thing to press lies in the first window at ${width}x${height}`, async ({
    freshSite: site,
    browser,
  }) => {
    const context = { viewport: { width, height } }
    const { page } = await enterConsole(site, browser, 'Opens', { context })
    const origin = new URL(page.url()).origin
    for (const [path, name] of [
      ['overview', 'Verifications'],
      ['sessions', 'Verifications'],
      ['verifications', 'New verification'],
      ['developers/endpoints', 'New endpoint'],
    ] as const) {
      await page.goto(`${origin}/console/${path}`)
      const first = page.locator('main .press.primary').first()
      await expect(first, path).toHaveText(name)
      await expect(first, path).toBeInViewport({ ratio: 1 })
    }
  })
