import type { Route } from '@playwright/test'
import { stillClip } from './support/acted/clips.ts'
import { begin, createCheck, openActed, signLink } from './support/acted/scenario.ts'
import { expect, test } from './support/fixture.ts'
import { long } from './support/length.ts'
import { state } from './support/scenes/scene.ts'

const liveness = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const

/** Holds answers back until they are released. */
function holdBack() {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const hold = async (route: Route) => {
    await released
    await route.continue()
  }
  return { hold, release: () => release() }
}

test(
  'a person on a slow network sees the loading progress and whether a face is detected',
  long,
  async ({ site, browser }) => {
    const link = await signLink(site, await createCheck(site, liveness))
    const mesh = holdBack()
    const detector = holdBack()
    const { context, page } = await openActed(
      browser,
      link,
      await stillClip(),
      { manner: 'loop' },
      'block',
      async (opened) => {
        await opened.route('**/facemesh*.onnx', mesh.hold)
        await opened.route('**/blazeface-short*.onnx', detector.hold)
      },
    )
    await begin(page)
    await expect(page.getByRole('heading', { name: 'Loading the check' })).toBeVisible()
    await expect(page.getByText('Loading over your network: 0.0 of 1.8 MB')).toBeVisible()
    // Longer than a slow device's limit for ten pictures.
    await page.waitForTimeout(16_000)
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    detector.release()
    await expect(page.locator(state('align'))).toBeVisible()
    await expect(page.getByText('Loading over your network: 0.2 of 1.8 MB')).toBeVisible()
    await expect(page.locator('.hint')).toHaveCount(0)
    await page.evaluate(() => window.actor.spoil('blur(200px)'))
    await expect(page.getByText('Show your face')).toBeVisible()
    await page.evaluate(() => window.actor.spoil(''))
    mesh.release()
    await expect(page.locator(state('hold'))).toBeVisible({ timeout: 20_000 })
    await expect(page.getByText('Loading over your network')).toHaveCount(0)
    await context.close()
  },
)

test('nothing of the analysis is fetched before the link is read', long, async ({ site, browser }) => {
  const link = await signLink(site, await createCheck(site, liveness))
  const reading = holdBack()
  const fetched: string[] = []
  const { context, page } = await openActed(
    browser,
    'about:blank',
    await stillClip(),
    { manner: 'loop' },
    'block',
    async (opened) => {
      await opened.route('**/v1/verification/read-link', reading.hold)
      opened.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    },
  )
  const asked = page.waitForRequest('**/v1/verification/read-link')
  await page.goto(link)
  await asked
  await page.waitForTimeout(1000)
  const ofAnalysis = () => fetched.filter((path) => /analysis\.worker|\.onnx$/.test(path))
  expect(ofAnalysis()).toEqual([])
  reading.release()
  await expect(page.locator(state('consent'))).toBeVisible()
  await expect.poll(ofAnalysis).toEqual(expect.arrayContaining([expect.stringContaining('blazeface-short')]))
  await context.close()
})
