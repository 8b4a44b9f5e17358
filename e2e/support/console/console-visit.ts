import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { type Client, createClient } from '#shared/client/client.ts'
import { firstAccountName } from '#shared/contract/account/display-name.ts'
import { scopes } from '#shared/endpoint.ts'
import type { Site } from '../acted/scenario.ts'
import { type ConsoleRole, giveAuthenticator, inviteToConsole } from './console.ts'

/** A console page with a signed-in person. */
export interface ConsoleVisit {
  readonly page: Page
  /** The virtual authenticator that holds the passkey. */
  readonly authenticator: Awaited<ReturnType<typeof giveAuthenticator>>
  show(data: 'Live' | 'Test'): Promise<void>
}

interface Entering {
  readonly role?: ConsoleRole
  readonly context?: BrowserContextOptions
}

/** Signs a person in as a new operator would: an invitation's address, a name, a passkey. */
export async function enterConsole(
  { product }: Pick<Site, 'product'>,
  browser: Browser,
  name: string,
  { role = 'owner', context = {} }: Entering = {},
): Promise<ConsoleVisit> {
  const viewport = { width: 1280, height: 900 }
  const opened = await browser.newContext({ locale: 'en', viewport, ...context })
  const page = await opened.newPage()
  const authenticator = await giveAuthenticator(page)
  await page.goto(await inviteToConsole(product, name, role))
  await page.getByRole('button', { name: 'Make a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  // People who may name the account are asked to if it has no name. Another test may already have named it.
  const mayName = role === 'owner' || role === 'developer'
  if (mayName && !(await isNamed(product))) await page.getByRole('button', { name: 'Later' }).click()
  const show = async (data: 'Live' | 'Test') => {
    await page.getByRole('button', { name: data, exact: true }).click()
    await page.getByRole('button', { name: data, exact: true, pressed: true }).waitFor()
  }
  return { page, authenticator, show }
}

async function isNamed({ address, apiKey }: Site['product']): Promise<boolean> {
  const { account } = await createClient({ origin: address, apiKey }).configuration.getAccount()
  return account.name !== firstAccountName
}

/** A client for a product's test data. */
export async function testClient({
  product,
}: Pick<Site, 'product'>): Promise<{ client: Client; apiKey: string }> {
  const origin = product.address
  const live = createClient({ origin, apiKey: product.apiKey })
  const { apiKey } = await live.configuration.createKey({ name: 'Tests', scopes: [...scopes], mode: 'test' })
  return { client: createClient({ origin, apiKey }), apiKey }
}

/** Creates a key with the `configure` scope on the developers page, and returns the value that is only shown once. */
export async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Developers' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel(/^configure:/).check()
  await page.getByRole('button', { name: 'Create' }).click()
  return (await page.locator('.secret code').textContent())!
}

type Outcome = Parameters<Client['configuration']['completeTestSession']>[0]['testOutcome']['result']

/** Creates a person's test session with this result. */
export async function endedSession(
  client: Client,
  { externalId, result, verificationId }: { externalId: string; result: Outcome; verificationId?: string },
): Promise<string> {
  const verifierConfigs = { liveness: { type: 'Verification' as const } }
  const asked = verificationId === undefined ? { verifierConfigs } : { verificationId }
  const { verificationSessionId } = await client.configuration.createSession({ ...asked, externalId })
  await client.configuration.completeTestSession({ verificationSessionId, testOutcome: { result } })
  return verificationSessionId
}
