import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hasFootage } from '../support/acted/clips.ts'
import { createCheck, readResult, signLink } from '../support/acted/scenario.ts'
import { makeKiosk } from '../support/kiosk/kiosk-device.ts'
import { long } from '../support/length.ts'
import { captureUrl, inFrame, openShop } from '../support/shop.ts'
import { whileBusy } from './busy.ts'
import { enginePackages, missingOf } from './driver/programs.ts'
import { expect, test } from './engine-fixture.ts'
import { begin, cameBack, heading, press, type, until, visitMilliseconds } from './person.ts'
import type { StagedSite } from './staged-site.ts'

const balanced = { liveness: { type: 'Verification', challengeType: 'Balanced' } } as const
const age = { age: { type: 'CalculationOnly' } } as const
// Skipped tests are reported: the last lines of `npm run verify` name them and the reason.
test.skip(!hasFootage, 'needs the footage of ../shared/data')
for (const debian of enginePackages)
  test.skip(({ engineName }) => missingOf(engineName).includes(debian), `${debian} is not installed`)

test.beforeEach(async ({ site }) => {
  site.stage.camera = 'acted'
  site.stage.isOffline = false
  site.stage.complaints.length = 0
})
test.afterEach(async ({ site }) => {
  expect(site.stage.complaints, 'errors and warnings of pages').toEqual([])
})

async function link(site: StagedSite): Promise<string> {
  return signLink(site, await createCheck(site, balanced), '&order=7')
}

test('an acted person passes and is sent back', async ({ engine, site }) => {
  const startedAt = Date.now()
  await engine.open(await link(site))
  await begin(engine)
  const back = await cameBack(engine, site)
  test.info().annotations.push({ type: 'visit', description: `${Date.now() - startedAt} ms` })
  const session = back.searchParams.get('reVerificationSessionId')!
  const result = await readResult(site, session)
  expect(back.pathname, result.verificationFailedReasons.join()).toBe('/passed')
  expect(result.livenessVerificationResult).toBe('Pass')
})

test('an acted person passes while all cores are busy', long, async ({ engine, freshSite: site }) => {
  await engine.open(await link(site))
  const startedAt = Date.now()
  const back = await whileBusy(async () => {
    await begin(engine)
    return cameBack(engine, site)
  })
  console.log(`${engine.name}, every core taken by another process: ${Date.now() - startedAt} ms`)
  const result = await readResult(site, back.searchParams.get('reVerificationSessionId')!)
  expect(back.pathname, result.verificationFailedReasons.join()).toBe('/passed')
  expect(result.livenessVerificationResult).toBe('Pass')
})

test('an acted person passes in a frame on another site', long, async ({ engine, freshSite: site }) => {
  const { server, origin } = await openShop(site, inFrame)
  await engine.open(`${origin}/`)
  await press(engine, 'Check me')
  await until(engine, 'a frame', () => engine.run(() => document.querySelector('iframe') && true))
  await engine.enter(0)
  await begin(engine)
  await engine.enter(null)
  const look = () => engine.run(() => (globalThis as { outcome?: { redirectedTo: string } }).outcome)
  const outcome = await until(engine, 'an outcome', look, visitMilliseconds)
  expect(outcome.redirectedTo).toMatch(new RegExp(`^${site.receiver.address}/passed`))
  expect(site.stage.complaints).toEqual([])
  server.close()
})

test('a refused camera leads to instructions for allowing it', async ({ engine, site }) => {
  site.stage.camera = engine.refusesCamera ? 'own' : 'refused'
  await engine.open(await link(site))
  await begin(engine)
  await heading(engine, 'The camera is blocked for this page')
  const help = { firefox: /Choose the camera symbol/, webkit: /Open the Safari menu/ }
  expect(await engine.run(() => document.body.innerText)).toMatch(help[engine.name])
  // The browser now refuses immediately, without a prompt. The instructions stay on screen.
  expect(await engine.run(refusalHere)).toEqual({ name: 'NotAllowedError', isAtOnce: true })
  await engine.run(() => document.querySelector('h1')!.setAttribute('data-first', ''))
  await press(engine, 'Try again')
  await until(engine, 'a second refusal', () => engine.run(newHeading))
  await heading(engine, 'The camera is blocked for this page')
  expect(await engine.run(() => document.body.innerText)).toMatch(help[engine.name])
})

/** Runs in the page. Returns the browser's error after an earlier refusal, and whether it came too quickly for a prompt. */
async function refusalHere(): Promise<{ name: string; isAtOnce: boolean }> {
  const askedAt = performance.now()
  const error = await navigator.mediaDevices
    .getUserMedia({ video: true })
    .then(() => new Error('not refused'))
    .catch((refused: Error) => refused)
  return { name: error.name, isAtOnce: performance.now() - askedAt < 300 }
}

/** Runs in the page. True once a new heading has replaced the first one. */
function newHeading(): true | null {
  return document.querySelector('h1:not([data-first])') && true
}

test('a frame without camera permission offers a separate tab', long, async ({ engine, site }) => {
  site.stage.camera = 'own'
  const { server, origin } = await openShop(site, inFrame)
  const address = await captureUrl(site)
  const plain = createServer((_, answer) =>
    answer
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><iframe src="${address}"></iframe>`),
  )
  // The origin may embed the check, but its frame does not get camera access.
  await new Promise<void>((closed) => server.close(() => closed()))
  await new Promise<void>((listening) => plain.listen(Number(new URL(origin).port), '127.0.0.1', listening))
  expect((plain.address() as AddressInfo).port).toBe(Number(new URL(origin).port))
  await engine.open(`${origin}/`)
  await engine.enter(0)
  await begin(engine)
  await heading(engine, 'The camera can’t open inside this page')
  await engine.enter(null)
  const told = expect.stringContaining('warn: The frame of this page needs the attribute allow="camera".')
  await expect.poll(() => site.stage.complaints).toEqual([told])
  site.stage.complaints.length = 0
  plain.close()
})

test('the check moves from a desktop to a second browser', long, async ({ engine, site, page: desk }) => {
  await desk.goto(await link(site))
  await desk.getByRole('button', { name: 'Use my phone' }).click()
  await engine.open((await desk.locator('.by-hand a').getAttribute('href'))!)
  await press(engine, 'Yes, the same')
  await press(engine, 'I don’t agree')
  await press(engine, 'Stop the check')
  await desk.getByRole('button', { name: /^Back to/ }).click()
  await desk.waitForURL(`${site.receiver.address}/failed**`)
})

test(
  'a lost camera, a hidden page and a rotated phone are reported, and the visit continues',
  long,
  async ({ engine, freshSite: site }) => {
    await engine.open(await link(site))
    await begin(engine)
    // The page reopens the camera once on its own, as after a phone call, and asks the second time. Polling may miss the first.
    await engine.run(() => {
      const { actor } = globalThis as unknown as { actor: { vanish(): void } }
      const timer = setInterval(() => {
        if (document.querySelector('h1')?.innerText.trim() === 'The camera stopped')
          return clearInterval(timer)
        const state = document.querySelector('[data-state]')?.getAttribute('data-state') ?? ''
        if (/^(align|hold|action)$/.test(state)) actor.vanish()
      }, 100)
    })
    await heading(engine, 'The camera stopped', visitMilliseconds)
    await press(engine, 'Start again')
    const putAside = () =>
      engine.run(() => {
        if (document.querySelector('[data-state="align"], [data-state="hold"]') === null) return null
        Object.defineProperty(document, 'hidden', { configurable: true, value: true })
        document.dispatchEvent(new Event('visibilitychange'))
        Object.defineProperty(document, 'hidden', { configurable: true, value: false })
        return true
      })
    await until(engine, 'a running camera', putAside, visitMilliseconds)
    await heading(engine, 'Paused while you were away')
    await engine.resize(844, 390)
    await press(engine, 'Continue')
    const back = await cameBack(engine, site)
    await engine.resize(390, 844)
    expect(back.pathname).toMatch(/^\/(passed|failed)$/)
    const result = await readResult(site, back.searchParams.get('reVerificationSessionId')!)
    expect(result.livenessVerificationResult, result.verificationFailedReasons.join()).toBe('Pass')
  },
)

test('a kiosk is paired, checks a person, and opens offline', async ({ engine, site }) => {
  const { pairingCode } = await makeKiosk(site, await createCheck(site, age))
  await engine.open(`${site.product.address}/kiosk`)
  await type(engine, 'code', pairingCode)
  await press(engine, 'Pair')
  await type(engine, 'pin', '2468')
  await type(engine, 'again', '2468')
  await press(engine, 'Save the PIN')
  await press(engine, 'Start', visitMilliseconds)
  await begin(engine)
  await heading(engine, 'All done', visitMilliseconds)
  await press(engine, 'Done')
  site.stage.isOffline = true
  await engine.open(`${site.product.address}/kiosk`)
  await heading(engine, 'Check in with your face')
})

test('the console opens and offers passkeys if the browser supports them', async ({ engine, site }) => {
  await engine.open(`${site.product.address}/console`)
  await heading(engine, 'Sign in')
  const words = await engine.run(() => document.body.innerText)
  const hasPasskeys = await engine.run(() => typeof PublicKeyCredential === 'function')
  expect(words.includes('Sign in with a passkey')).toBe(hasPasskeys)
  expect(words.includes('This browser has no passkeys')).toBe(!hasPasskeys)
})

test('the demo opens a check', long, async ({ engine, site }) => {
  await engine.open(`${site.product.address}/demo`)
  await heading(engine, 'Try a face check')
  await engine.run(() => document.querySelector<HTMLElement>('a.button')?.click())
  await press(engine, 'I don’t agree')
})
