import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Authenticator, drivenBy, type Engine, type Send } from './engine.ts'
import { connectMarionette } from './marionette.ts'
import { freePort, openHousehold, untilDone } from './programs.ts'

/** There is a camera, but access is always denied. Only this machine can be reached. */
const preferences = {
  'media.navigator.streams.fake': true,
  'permissions.default.camera': 2,
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.proxy.allow_hijacking_localhost': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'intl.accept_languages': 'en',
  'layout.css.devPixelsPerPx': '1.0',
}

/** Starts Debian's Firefox in headless mode with Marionette. `more` are further preferences. */
export async function openFirefox(more: Readonly<Record<string, unknown>> = {}): Promise<Engine> {
  const household = await openHousehold()
  try {
    const port = await freePort()
    const lines = Object.entries({ ...preferences, ...more, 'marionette.port': port }).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    )
    await writeFile(join(household.home, 'user.js'), `${lines.join('\n')}\n`)
    const words = ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote']
    household.start('firefox-esr', [...words, '--profile', household.home, 'about:blank'], sandboxOf())
    const send = await untilDone('Firefox', () => connectMarionette(port), 60_000)
    const session = (await send('WebDriver:NewSession', {})) as {
      capabilities: { browserVersion: string }
    }
    const driven = drivenBy(send, {
      open: 'WebDriver:Navigate',
      run: 'WebDriver:ExecuteScript',
      enter: 'WebDriver:SwitchToFrame',
      picture: 'WebDriver:TakeScreenshot',
    })
    return {
      ...driven,
      name: 'firefox',
      version: session.capabilities.browserVersion,
      refusesCamera: true,
      async resize(width, height) {
        // The toolbars impose a minimum window width, so the content area is resized separately.
        await send('Marionette:SetContext', { value: 'chrome' })
        await driven.run(sizeBrowser, width, height)
        await send('Marionette:SetContext', { value: 'content' })
      },
      giveAuthenticator: () => authenticatorBy(send),
      quit: household.end,
    }
  } catch (error) {
    await household.end()
    throw error
  }
}

/** Firefox's software token. WebDriver tells it whether a person is present and consents. */
async function authenticatorBy(send: Send): Promise<Authenticator> {
  const authenticatorId = (await send('WebAuthn:AddVirtualAuthenticator', {
    protocol: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserConsenting: true,
    isUserVerified: true,
  })) as string
  return {
    count: async () => ((await send('WebAuthn:GetCredentials', { authenticatorId })) as unknown[]).length,
    remove: async () => void (await send('WebAuthn:RemoveVirtualAuthenticator', { authenticatorId })),
  }
}

/** The sandbox needs kernel features that root does not have inside containers. */
function sandboxOf(): Record<string, string> {
  return process.getuid?.() === 0 ? { MOZ_DISABLE_CONTENT_SANDBOX: '1' } : {}
}

/** Runs in the browser's own window. */
function sizeBrowser(width: number, height: number): void {
  const { gBrowser } = globalThis as unknown as { gBrowser: { selectedBrowser: HTMLElement } }
  const { style } = gBrowser.selectedBrowser
  for (const least of ['', 'min-', 'max-']) {
    style.setProperty(`${least}width`, `${width}px`)
    style.setProperty(`${least}height`, `${height}px`)
  }
}
