import type { Page } from '@playwright/test'
import { stillClip } from './support/acted/clips.ts'
import { begin, comeBack, createCheck, openActed, type Site, signLink } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { long, some } from './support/length.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

/** Opens a check whose camera fails with a platform error. */
async function openWithout(page: Page, site: Site, error: string): Promise<void> {
  await page.addInitScript((name) => {
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', {
      value: () => Promise.reject(new DOMException('no camera', name)),
    })
  }, error)
  await page.goto(await signLink(site, await createCheck(site, liveness)))
  await begin(page)
}

/** The most frequent error comes first, because the short form tries only that one. */
const cameraFaults = [
  [
    'NotAllowedError',
    /The camera is blocked for this page|The question was closed|Your device blocks the camera/,
  ],
  ['NotFoundError', 'No camera found'],
  ['NotReadableError', 'Another app is using the camera'],
] as const

for (const [error, words] of some(cameraFaults)) {
  test(`${error} is explained, and leaving completes the session`, async ({ site, page }) => {
    await openWithout(page, site, error)
    await expect(page.getByRole('heading', { name: words })).toBeVisible({ timeout: 20_000 })
    await page.getByRole('button', { name: 'Stop the check' }).click()
    const { returned, result } = await finish(site, page)
    expect(returned).toBe('failed')
    expect(result.verificationFailedReasons).toEqual(['cameraUnavailable'])
    await site.receiver.next(result.verificationSessionId)
  })
}

test(
  'a dismissed prompt is shown again; an automatic second refusal leads to instructions for allowing the camera',
  long,
  async ({ site, page }) => {
    await page.addInitScript(() => {
      let asked = 0
      const state = () => (asked > 1 ? 'denied' : 'prompt')
      navigator.permissions.query = async () => ({ state: state() }) as PermissionStatus
      const refuse = async () => {
        asked++
        // The person reads the first prompt and closes it, after which the browser refuses without asking.
        if (asked === 1) await new Promise((resolve) => setTimeout(resolve, 400))
        throw new DOMException(asked === 1 ? 'Permission dismissed' : 'Permission denied', 'NotAllowedError')
      }
      Object.defineProperty(navigator.mediaDevices, 'getUserMedia', { value: refuse })
    })
    await page.goto(await signLink(site, await createCheck(site, liveness)))
    await begin(page)
    await expect(page.getByRole('heading', { name: 'The question was closed' })).toBeVisible()
    await expect(page.getByText('The browser will ask once more.')).toBeVisible()
    await page.getByRole('button', { name: 'Ask again' }).click()
    await expect(page.getByRole('heading', { name: 'The camera is blocked for this page' })).toBeVisible()
    await expect(page.getByText('Choose the icon next to the address')).toBeVisible()
    await expect(page.getByText('The browser will ask once more.')).toHaveCount(0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'The camera is blocked for this page' })).toBeVisible()
  },
)

test('a lost camera is explained, and leaving completes the session', async ({ site, browser }) => {
  const link = await signLink(site, await createCheck(site, liveness))
  const { context, page } = await openActed(browser, link, await stillClip(), { manner: 'loop' })
  await begin(page)
  await expect(page.locator('[data-state="hold"], [data-state="align"], [data-state="action"]')).toBeVisible()
  await page.evaluate(() => {
    Object.defineProperty(navigator.mediaDevices, 'getUserMedia', {
      value: () => Promise.reject(new DOMException('gone', 'NotReadableError')),
    })
    window.actor.vanish()
  })
  await expect(page.getByRole('heading', { name: /The camera stopped|Another app is using/ })).toBeVisible({
    timeout: 20_000,
  })
  await page.getByRole('button', { name: 'Stop the check' }).click()
  const { result } = await finish(site, page)
  expect(result.verificationFailedReasons).toEqual(['cameraUnavailable'])
  await context.close()
})

test(
  'an app that can neither film nor copy shows the address without claiming that it was copied',
  long,
  async ({ site, page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await openWithout(page, site, 'TypeError')
    await expect(page.getByRole('heading', { name: 'This app can’t use the camera' })).toBeVisible()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue(/^http.*\/verification/)
    await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Link copied' })).toHaveCount(0)
  },
)

test('a person who does not agree is sent back without any picture being taken', async ({ site, page }) => {
  await page.goto(await signLink(site, await createCheck(site, liveness)))
  await page.getByRole('button', { name: 'I don’t agree' }).click()
  const { returned, result } = await finish(site, page)
  expect(returned).toBe('failed')
  expect(result.verificationFailedReasons).toEqual(['consentDeclined'])
})

/** Presses the button that leads back to the site. */
async function finish(site: Site, page: Page) {
  const back = page.getByRole('button', { name: /^Back to/ })
  void back
    .first()
    .click({ timeout: 20_000 })
    .catch(() => undefined)
  return comeBack(site, page, 60_000)
}
