import type { BrowserContext, Page, Route } from '@playwright/test'
import { stillClip } from '../support/acted/clips.ts'
import { createCheck, openActed, type Site, signLink } from '../support/acted/scenario.ts'
import { giveAuthenticator } from '../support/console/console.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

const challenge = 'c2VsZnNhbWUtY2hhbGxlbmdl'
const asked = '[data-state="passkeyAsked"]'
const offered = '[data-state="passkeyOffered"]'

/** The requests that the page makes during a ceremony. */
interface Posted {
  readonly path: string
  readonly response: { readonly id: string; readonly response: { readonly clientDataJSON: string } }
}

/**
 * Makes the server request and offer passkeys whatever the visit's assurance, because photographs do not reach the required
 * level. Everything else is the real product, whose own tests also check how it handles this browser's answers.
 */
async function askForPasskeys(
  context: BrowserContext,
  known: readonly string[],
  { takesNone = false } = {},
): Promise<Posted[]> {
  const posted: Posted[] = []
  const changed = (change: (body: Record<string, unknown>) => object) => async (route: Route) => {
    const response = await route.fetch()
    const body = await response.json()
    await route.fulfill({ response, json: { ...body, ...change(body) } })
  }
  await context.route(
    '**/init-redirect-session',
    changed(({ capturePlan }) => ({
      capturePlan: { ...(capturePlan as object), passkey: known.length > 0 },
    })),
  )
  await context.route(
    '**/submit-session',
    changed(() => ({ offersPasskey: true })),
  )
  // The server's answer if it made no offer or has withdrawn it.
  if (takesNone) return posted
  await context.route('**/create-passkey-options', async (route) => {
    const { ceremony } = route.request().postDataJSON()
    const credentials = known.map((id) => ({ id, type: 'public-key' }))
    const common = { challenge, timeout: 5000, attestation: 'none' }
    const options =
      ceremony === 'verify'
        ? { ...common, rpId: 'localhost', allowCredentials: credentials, userVerification: 'required' }
        : {
            ...common,
            rp: { id: 'localhost', name: 'Northwind' },
            user: { id: 'AAAA', name: 'Northwind', displayName: '' },
            pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
            authenticatorSelection: { userVerification: 'required' },
          }
    await route.fulfill({ json: { options } })
  })
  await context.route(/\/(bind|verify)-passkey$/, async (route) => {
    const path = new URL(route.request().url()).pathname
    posted.push({ path, ...route.request().postDataJSON() })
    await route.fulfill({ json: {} })
  })
  return posted
}

/** Opens a check on a host name, because browsers do not bind passkeys to an IP address. */
async function openNamed(
  site: Site,
  browser: Parameters<typeof openActed>[0],
  known: readonly string[],
  more: Parameters<typeof askForPasskeys>[2] = {},
) {
  const link = (await signLink(site, await createCheck(site, { age: { type: 'CalculationOnly' } }))).replace(
    '127.0.0.1',
    'localhost',
  )
  const { context, page } = await openActed(browser, 'about:blank', await stillClip(), { manner: 'loop' })
  const posted = await askForPasskeys(context, known, more)
  const { device, authenticatorId } = await giveAuthenticator(page)
  await page.goto(link)
  await press(page, 'Agree and continue')
  return { context, page, posted, device, authenticatorId }
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const saidIn = ({ response }: Posted) =>
  JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString())

test('a passkey is offered after the verdict, created by the device, and used at the next visit', async ({
  site,
  browser,
}) => {
  const { context, page, posted, device, authenticatorId } = await openNamed(site, browser, [])
  await press(page, 'Start camera')
  await page.locator(offered).waitFor({ timeout: 90_000 })
  await expect(page.getByRole('paragraph').filter({ hasText: 'numeric code of your face' })).toBeVisible()
  await press(page, 'Add passkey')
  await page.waitForURL(`${site.receiver.address}/**`)
  const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
  expect(posted.map(({ path }) => path)).toEqual(['/v1/verification/bind-passkey'])
  expect(saidIn(posted[0]!)).toMatchObject({ type: 'webauthn.create', challenge })
  const made = Buffer.from(credentials[0]!.credentialId, 'base64').toString('base64url')
  expect(posted[0]!.response.id).toBe(made)
  await context.close()

  const next = await openNamed(site, browser, [made])
  await next.device.send('WebAuthn.addCredential', {
    authenticatorId: next.authenticatorId,
    credential: credentials[0]!,
  })
  await next.page.locator(asked).waitFor()
  await press(next.page, 'Use passkey')
  await next.page.locator('[data-state="ready"]').waitFor()
  expect(next.posted.map(({ path }) => path)).toEqual(['/v1/verification/verify-passkey'])
  expect(saidIn(next.posted[0]!)).toMatchObject({ type: 'webauthn.get', challenge })
  await next.context.close()
})

test('neither a lost passkey nor the offer blocks a visit', long, async ({ site, browser }) => {
  const { context, page, posted } = await openNamed(site, browser, ['bG9zdA'])
  await press(page, 'Use passkey')
  await expect(page.getByRole('paragraph').filter({ hasText: 'That didn’t work' })).toBeVisible({
    timeout: 30_000,
  })
  await press(page, 'Continue without')
  await press(page, 'Start camera')
  await page.locator(offered).waitFor({ timeout: 90_000 })
  await press(page, 'Continue without')
  await page.waitForURL(`${site.receiver.address}/passed**`)
  expect(posted).toEqual([])
  await context.close()
})

test(
  'a withdrawn offer, as after another passkey was bound, does not break a visit',
  long,
  async ({ site, browser }) => {
    const { context, page, device, authenticatorId } = await openNamed(site, browser, [], { takesNone: true })
    await press(page, 'Start camera')
    await page.locator(offered).waitFor({ timeout: 90_000 })
    const refused = page.waitForResponse(/create-passkey-options$/)
    await press(page, 'Add passkey')
    const answer = await refused
    expect([answer.status(), (await answer.json()).code]).toEqual([409, 'passkey_unavailable'])
    await expect(page.getByRole('paragraph').filter({ hasText: 'That didn’t work' })).toBeVisible()
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toEqual([])
    await press(page, 'Continue without')
    await page.waitForURL(`${site.receiver.address}/passed**`)
    await context.close()
  },
)
