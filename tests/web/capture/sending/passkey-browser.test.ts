import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { build, type Rolldown } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PasskeyCeremony } from '#shared/contract/sessions/session-passkey.ts'
import { launchOptions } from '../../../../e2e/support/browser.ts'
import { haveShown, strong } from '../../../support/drawn/shown-evidence.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { packed, saying } from '../../../support/passkeys/attested-device.ts'
import { type DeviceMaker, newMaker, rootOf } from '../../../support/passkeys/makers.ts'
import {
  act,
  newVerification,
  type Opened,
  openSession,
  resultOf,
  step,
  submit,
} from '../../../support/visit.ts'

declare global {
  interface Window {
    passkey: typeof import('#web/capture/sending/passkey.ts')
  }
}

/** The page's own module as a single script. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      lib: { entry: 'web/capture/sending/passkey.ts', formats: ['iife'], name: 'passkey' },
    },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  return output[0].code
}

describe.skipIf(!existsSync(launchOptions.executablePath))('a passkey in Chromium', () => {
  let host: Host
  let maker: DeviceMaker
  let browser: Browser
  let page: Page
  let device: CDPSession
  let authenticatorId: string
  let pages = ''

  beforeAll(async () => {
    haveShown(strong)
    maker = await newMaker('Test Keys Root')
    host = await startHost({ ports: { origin: () => pages, passkeyRoots: [rootOf(maker)] } })
    pages = `http://localhost:${new URL(host.origin).port}`
    browser = await chromium.launch(launchOptions)
    page = await browser.newPage()
    const script = await bundle()
    await page.route('**/blank', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    )
    await page.goto(`${pages}/blank`)
    await page.addScriptTag({ content: script })
    device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    authenticatorId = await plugIn()
  })
  afterAll(async () => {
    await browser?.close()
    await host?.close()
  })

  async function plugIn(): Promise<string> {
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const
    return (await device.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
  }

  const hold = ({ sessionToken }: Opened, ceremony: PasskeyCeremony) =>
    page.evaluate(([token, kind]) => window.passkey.holdCeremony(location.origin, token, kind), [
      sessionToken,
      ceremony,
    ] as const)

  async function open(externalId: string) {
    const verificationId = await newVerification(host, {
      verifierConfigs: { liveness: { type: 'Verification' } },
    })
    return openSession(host, verificationId, `reExternalId=${externalId}`)
  }

  async function passThrough(opened: Opened) {
    const person = { person: 'anna' }
    let { next } = await step(host, opened, 0, person)
    while (next !== null) next = (await act(host, opened, next, person)).next
    return submit(host, opened, person)
  }

  /** Binds the passkey in one visit and uses it in the next. Returns both assurances, and the reason for a missing attestation. */
  async function comeTwice(externalId: string) {
    const first = await open(externalId)
    expect(await passThrough(first)).toMatchObject({ offersPasskey: true })
    expect(await hold(first, 'bind')).toBe(true)
    const second = await open(externalId)
    expect(second.capturePlan.passkey).toBe(true)
    expect(await hold(second, 'verify')).toBe(true)
    await passThrough(second)
    const results = [await resultOf(host, first), await resultOf(host, second)]
    return results.map(({ assurance, passkeys }) => [assurance, passkeys[0]!.unattestedBecause])
  }

  test('is bound after a standard visit and shown at the next, which is high if its maker is trusted', async () => {
    expect(await page.evaluate(() => window.passkey.canUsePasskeys(window))).toBe(true)
    expect(await comeTwice('anna')).toEqual([
      ['standard', 'unknownRoot'],
      ['standard', 'unknownRoot'],
    ])
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials.map(({ rpId }) => rpId)).toEqual(['localhost'])
    // The browser's device has a different manufacturer for each passkey. Here, it claims to be the trusted one.
    await page.route('**/bind-passkey', async (route) => {
      const { response } = route.request().postDataJSON()
      await route.continue({ postData: { response: await saying(response, packed(maker)) } as never })
    })
    expect(await comeTwice('emil')).toEqual([
      ['standard', null],
      ['high', null],
    ])
  })

  test('for which the device cannot verify its user is not used, and the visit continues', async () => {
    const first = await open('berta')
    await passThrough(first)
    await hold(first, 'bind')
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    const second = await open('berta')
    expect(await hold(second, 'verify')).toBe(false)
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await passThrough(second)
    expect((await resultOf(host, second)).assurance).toBe('standard')
  })

  test('that was lost with its device lowers the assurance', async () => {
    const first = await open('carla')
    await passThrough(first)
    await hold(first, 'bind')
    await device.send('WebAuthn.clearCredentials', { authenticatorId })
    const second = await open('carla')
    expect(await hold(second, 'verify')).toBe(false)
    // Another passkey requires the one that is bound, unless an operator resets the passkeys.
    expect(await passThrough(second)).not.toHaveProperty('offersPasskey')
    expect(await resultOf(host, second)).toMatchObject({ verificationResult: 'Pass', assurance: 'standard' })
  })

  test('is not created in a session without an offer', async () => {
    expect(await hold(await open('dora'), 'bind')).toBe(false)
  })
})
