import type { Page } from '@playwright/test'
import { consoleAddress, giveAuthenticator, inviteToConsole } from '../support/console/console.ts'
import { enterConsole } from '../support/console/console-visit.ts'
import { expect, test } from '../support/fixture.ts'
import { long } from '../support/length.ts'

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Makes a call from a page on the same origin, with a real browser, cookie and origin. */
function ask(page: Page, method: string, path: string, body?: object, token = ''): Promise<Answer> {
  return page.evaluate(
    async ([method, path, body, token]) => {
      const answer = await fetch(`/console/api/${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(token === '' ? {} : { 'x-anti-forgery': token }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    },
    [method, path, body, token] as const,
  )
}

/** Lets the browser create or use a passkey for the server's options, and sends the answer. */
async function ceremony(page: Page, what: 'invitation' | 'sign-in' | 'again', given: object, token = '') {
  const begun = await ask(page, 'POST', `${what}/begin`, given, token)
  expect(begun.status).toBe(200)
  const isNew = what === 'invitation'
  const response = await page.evaluate(
    async ([options, isNew]) => {
      const made = isNew
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never),
          })
      return (made as PublicKeyCredential).toJSON() as object
    },
    [begun.body.options, isNew] as const,
  )
  return ask(page, 'POST', `${what}/finish`, { ...given, ceremony: begun.body.ceremony, response }, token)
}

test('a browser creates a passkey with an invitation, signs in with it, and its cookie is worthless elsewhere', async ({
  site: { product },
  browser,
}) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await giveAuthenticator(page)
  const url = await inviteToConsole(product, 'Ada', 'owner')
  expect(url).toMatch(new RegExp(`^${consoleAddress(product)}#[\\w-]{43}$`))
  // Any page on this origin whose policy allows calls will do.
  await page.goto(`${new URL(url).origin}/swagger`)
  const made = await ceremony(page, 'invitation', { code: url.split('#')[1] })
  expect(made).toMatchObject({ status: 200, body: { me: { name: 'Ada', role: 'owner' } } })
  const first = made.body.antiForgery as string
  expect(await ask(page, 'GET', 'me', undefined, first)).toMatchObject({ status: 200, body: { name: 'Ada' } })
  expect((await ask(page, 'GET', 'me')).status).toBe(401)
  expect(await page.evaluate(() => document.cookie)).toBe('')

  expect((await ask(page, 'POST', 'sign-out', {}, first)).status).toBe(200)
  expect((await ask(page, 'GET', 'me', undefined, first)).status).toBe(401)
  const back = await ceremony(page, 'sign-in', {})
  const token = back.body.antiForgery as string
  expect(back).toMatchObject({ status: 200, body: { me: { name: 'Ada' } } })
  expect((await ceremony(page, 'again', {}, token)).status).toBe(200)
  expect((await ask(page, 'GET', 'v1/verification/get-sessions', undefined, token)).status).toBe(200)

  // The same browser on another origin of the same machine. Even if the cookie is sent, the server does not accept it.
  const { port } = new URL(product.address)
  const other = await context.newPage()
  await other.goto(`http://127.0.0.1:${port}/swagger`)
  const across = other.evaluate(
    async ([address, token]) => {
      const headers = { 'x-anti-forgery': token }
      return fetch(address, { credentials: 'include', headers }).then(
        ({ status }) => status,
        () => 'refused',
      )
    },
    [`${new URL(url).origin}/console/api/me`, token] as const,
  )
  expect(await across).toBe('refused')
  await context.close()
})

test(
  'a second passkey is added in the settings and signs its person in on another device',
  long,
  async ({ site, browser }) => {
    const { page, authenticator } = await enterConsole(site, browser, 'Ada of two devices', {
      role: 'viewer',
    })
    const { device, authenticatorId } = authenticator
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Your passkeys' }).click()
    const mine = page.getByRole('table', { name: 'Your passkeys' })
    await expect(mine.getByRole('row')).toHaveCount(2)
    await expect(mine.getByRole('button', { name: /^Remove/ })).toHaveCount(0)
    // A second device that has none of her passkeys. The first one does not respond.
    await device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
    const second = await giveAuthenticator(page, 'usb')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Key on my ring')
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(mine.getByRole('row', { name: /Key on my ring/ })).toBeVisible()
    const { credentials } = await second.device.send('WebAuthn.getCredentials', {
      authenticatorId: second.authenticatorId,
    })
    expect(credentials).toHaveLength(1)

    await mine.getByRole('button', { name: 'Rename Key on my ring' }).click()
    await dialog.getByLabel('Name').fill('Key in the safe')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /Ada of two devices/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()

    // The first device is lost.
    await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Your passkeys' }).click()
    await mine.getByRole('button', { name: /^Remove (?!Key)/ }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(mine.getByRole('row')).toHaveCount(2)
    await expect(mine.getByRole('row', { name: /Key in the safe/ })).toBeVisible()
    await page.context().close()
  },
)
