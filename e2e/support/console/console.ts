import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import type { Product } from '../product.ts'

export type ConsoleRole = 'owner' | 'developer' | 'reviewer' | 'viewer'

/** The address of a product's console with a host name, because passkeys do not work on IP addresses. */
export function consoleAddress({ address }: Pick<Product, 'address'>): string {
  return `http://localhost:${new URL(address).port}/console`
}

/** An address that signs a person in once. It is created with the operator's command next to the running server. */
export async function inviteToConsole(
  { settings }: Pick<Product, 'settings'>,
  name: string,
  role: ConsoleRole,
): Promise<string> {
  const words = ['dist/server/account.js', 'invite', name, '--role', role, '--json']
  const env = { ...process.env, ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, words, { env })
  return (JSON.parse(stdout) as { url: string }).url
}

/** A page's virtual authenticator that always consents, either built in or a USB key. Chromium only. */
export async function giveAuthenticator(page: Page, transport: 'internal' | 'usb' = 'internal') {
  const device = await page.context().newCDPSession(page)
  await device.send('WebAuthn.enable')
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { device, authenticatorId }
}
