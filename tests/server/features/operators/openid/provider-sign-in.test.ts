import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { productVersion } from '#server/platform/running/product-version.ts'
import { getKeys, revokeKey } from '#shared/contract/account/account.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { startOpenidProvider } from '../../../../../e2e/support/openid/openid-provider.ts'
import { newAuthenticator } from '../../../../support/authenticator.ts'
import {
  type ConsoleVisitor,
  consoleOf,
  newVisitor,
  signedInAs,
} from '../../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../../support/host.ts'

const {
  addPasskey,
  beginPasskey,
  beginProvider,
  beginProviderAgain,
  changeRole,
  finishProvider,
  finishProviderAgain,
  getMe,
  getPeople,
  getProvider,
  invitePerson,
  removePasskey,
  removePerson,
} = consoleCatalogue

let provider: Awaited<ReturnType<typeof startOpenidProvider>>
let host: Host
let owner: ConsoleVisitor
beforeEach(async () => {
  provider = await startOpenidProvider()
  host = await startHost({ ports: { openid: provider.settings } })
  owner = await signedInAs(host, 'owner', 'Olga')
})
afterEach(async () => {
  await host.close()
  await provider.close()
})

/** Goes to the provider and comes back. */
async function goThere(visitor: ConsoleVisitor, more: object = {}) {
  const { ceremony, url } = (await visitor.ask(beginProvider)).body as { ceremony: string; url: string }
  return visitor.ask(finishProvider, { ceremony, returned: await provider.visit(url), ...more })
}

const invite = async (body: object) => {
  const answer = await owner.ask(invitePerson, { name: 'Ada', role: 'developer', ...body })
  return String(answer.body.url).split('#')[1]
}

async function ada(): Promise<ConsoleVisitor> {
  const code = await invite({})
  const visitor = newVisitor(host)
  expect((await goThere(visitor, { code })).status).toBe(200)
  return visitor
}

async function again(visitor: ConsoleVisitor) {
  const { ceremony, url } = (await visitor.ask(beginProviderAgain)).body as { ceremony: string; url: string }
  return visitor.ask(finishProviderAgain, { ceremony, returned: await provider.visit(url) })
}

describe('sign-in by a provider', () => {
  it('uses the code flow with PKCE, state and nonce, and names itself', async () => {
    expect((await newVisitor(host).ask(getProvider)).body).toEqual({ name: 'Our Login' })
    const { url } = (await newVisitor(host).ask(beginProvider)).body as { url: string }
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'console',
      response_type: 'code',
      scope: 'openid email profile',
      redirect_uri: `${consoleOf(host)}/console/openid`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
  })

  it('lets in a person with an invitation, in its role, and from then on without', async () => {
    const visitor = await ada()
    expect((await visitor.ask(getMe)).body).toMatchObject({
      name: 'Ada',
      role: 'developer',
      shownBy: 'provider',
    })
    const later = newVisitor(host)
    expect(await goThere(later)).toMatchObject({ status: 200, body: { me: { role: 'developer' } } })
    await owner.ask(changeRole, { operatorId: later.me().operatorId, role: 'viewer' })
    expect((await later.ask(getKeys)).status).toBe(403)
    const entries = await host.services.auditLog.page(host.accountId, 5, undefined)
    const hers = entries.filter(({ actor }) => actor.operator?.name === 'Ada')
    expect(hers).toMatchObject([
      { operation: 'signIn', actor: { operator: { name: 'Ada' } } },
      { operation: 'takeInvitation', actor: { operator: { name: 'Ada' } } },
    ])
  })

  it('identifies the product in every request to the provider, and nothing of the machine', async () => {
    await ada()
    const named = new Set(provider.state.senders)
    expect([...named]).toEqual([`Selfsame/${productVersion}`])
  })

  it('does not survive a lock-out that began before it and was written after it', async () => {
    await ada()
    const late = newVisitor(host)
    const commit = host.store.commit
    const spied = vi.spyOn(host.store, 'commit').mockImplementationOnce(async (...given) => {
      expect((await goThere(late)).status).toBe(200)
      return commit(...given)
    })
    await host.services.lockOut(host.accountId, 'Ada')
    spied.mockRestore()
    expect((await late.ask(getMe)).status).toBe(401)
  })

  it("lets in the owner of an invitation's verified address, in any case, once", async () => {
    await invite({ email: ' ADA@example.com ' })
    expect((await owner.ask(getPeople)).body.invitations).toMatchObject([{ email: 'ada@example.com' }])
    expect((await goThere(newVisitor(host))).status).toBe(200)
    provider.state.person = { ...provider.state.person, sub: 'another' }
    expect((await goThere(newVisitor(host))).status).toBe(403)
  })

  test.each([
    ['the address is not verified', { email_verified: false }],
    ['the provider does not say that it is', { email_verified: undefined }],
    ['it is another one', { email: 'eve@example.com' }],
  ])('refuses a person without an invitation: %s', async (_, claims) => {
    await invite({ email: 'ada@example.com' })
    provider.state.claims = claims
    expect(await goThere(newVisitor(host))).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  test.each([
    ['the sign of Kelvin', 'kim@example.com', '\u212aim@example.com'],
    ['a long s', 'sam@example.com', '\u017fam@example.com'],
    ['a dotless i', 'ian@example.com', '\u0131an@example.com'],
    ['a letter of another script', 'kim@example.com', '\u043aim@example.com'],
  ])('gives no invitation to an address that differs in %s', async (_what, invited, email) => {
    await invite({ email: invited })
    provider.state.claims = { email }
    expect(await goThere(newVisitor(host))).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    provider.state.claims = { email: invited.toUpperCase() }
    expect((await goThere(newVisitor(host))).status).toBe(200)
  })

  test.each(['\u212aim@example.com', 'kim@example.com\u0000', 'kim@ex\u00e4mple.com', 'kim'])(
    'does not match an invitation to an address such as %j',
    async (email) => {
      const answer = await owner.ask(invitePerson, { name: 'Kim', role: 'owner', email })
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/email' }] } })
    },
  )

  test.each([
    [55, 200],
    [75, 400],
    [86_400, 400],
  ])('accepts a sign-in dated %s seconds ahead: %s', async (seconds, status) => {
    await invite({ email: 'ada@example.com' })
    provider.state.aheadSeconds = seconds
    expect((await goThere(newVisitor(host))).status).toBe(status)
  })

  it('a sign-in dated tomorrow does not count as recent', async () => {
    const visitor = await ada()
    provider.state.claims = { auth_time: Math.floor(Date.now() / 1000) + 86_400 }
    expect((await again(visitor)).status).toBe(403)
    provider.state.claims = {}
    expect((await again(visitor)).status).toBe(200)
  })

  it('accepts an invitation without a name under the name from the provider', async () => {
    const { code } = await host.services.invitations.make({
      accountId: host.accountId,
      name: null,
      role: 'viewer',
      lifeInSeconds: 60,
      mayReplace: false,
    })
    expect(await goThere(newVisitor(host), { code })).toMatchObject({ body: { me: { name: 'Ada' } } })
    expect((await goThere(newVisitor(host), { code })).status).toBe(410)
  })

  it('replaces an unreadable name from the provider with its address', async () => {
    const { code } = await host.services.invitations.make({
      accountId: host.accountId,
      name: null,
      role: 'viewer',
      lifeInSeconds: 60,
      mayReplace: false,
    })
    provider.state.claims = { name: 'Ol\u202ega' }
    expect(await goThere(newVisitor(host), { code })).toMatchObject({
      body: { me: { name: 'ada@example.com' } },
    })
  })

  it('accepts no invitation of a former owner', async () => {
    const second = await signedInAs(host, 'owner', 'Second')
    await second.ask(invitePerson, { name: 'Ada', role: 'owner', email: 'ada@example.com' })
    await owner.ask(changeRole, { operatorId: second.me().operatorId, role: 'viewer' })
    expect((await goThere(newVisitor(host))).status).toBe(403)
    await invite({ name: 'Ada', email: 'ada@example.com' })
    expect(await goThere(newVisitor(host))).toMatchObject({ body: { me: { role: 'developer' } } })
  })

  it('binds each account at the provider to one person', async () => {
    await ada()
    const code = await invite({ name: 'Eve' })
    expect(await goThere(newVisitor(host), { code })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
  })

  it('lets in no one who was removed or locked out', async () => {
    const visitor = await ada()
    await host.services.lockOut(host.accountId, 'Ada')
    expect((await visitor.ask(getMe)).status).toBe(401)
    expect((await goThere(newVisitor(host))).status).toBe(403)
    const { code } = await host.services.invitations.make({
      accountId: host.accountId,
      name: 'Ada',
      role: 'developer',
      lifeInSeconds: 60,
      mayReplace: true,
    })
    const back = newVisitor(host)
    expect((await goThere(back, { code })).status).toBe(200)
    await owner.ask(removePerson, { operatorId: back.me().operatorId })
    expect((await back.ask(getMe)).status).toBe(401)
    expect((await goThere(newVisitor(host))).status).toBe(403)
  })
})

describe('the provider’s answer', () => {
  it('counts once, for its request, and for five minutes', async () => {
    await ada()
    const visitor = newVisitor(host)
    const begin = async () => (await visitor.ask(beginProvider)).body as { ceremony: string; url: string }
    const [one, other] = [await begin(), await begin()]
    const returned = await provider.visit(one.url)
    expect((await visitor.ask(finishProvider, { ceremony: other.ceremony, returned })).status).toBe(400)
    expect((await visitor.ask(finishProvider, { ceremony: one.ceremony, returned })).status).toBe(200)
    expect((await visitor.ask(finishProvider, { ceremony: one.ceremony, returned })).status).toBe(400)
    const late = await begin()
    host.pass(5 * 60_000)
    const then = { ceremony: late.ceremony, returned: await provider.visit(late.url) }
    expect((await visitor.ask(finishProvider, then)).status).toBe(400)
    expect((await visitor.ask(finishProvider, { ceremony: 'x', returned })).status).toBe(400)
  })

  test.each([
    ['has another nonce', { nonce: 'x' }],
    ['is for another client', { aud: 'x' }],
    ['is of another issuer', { iss: 'https://evil.example' }],
  ])('is refused if its token %s', async (_, claims) => {
    await ada()
    provider.state.claims = claims
    const answer = await goThere(newVisitor(host))
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/returned' }] } })
  })

  it('is refused if another key has signed it', async () => {
    await ada()
    provider.state.signsWrong = true
    expect(await goThere(newVisitor(host))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/returned' }] },
    })
  })

  it('explains that the provider refused, or does not answer, and allows a retry', async () => {
    const code = await invite({})
    provider.state.isDown = true
    expect(await newVisitor(host).ask(beginProvider)).toMatchObject({
      status: 502,
      body: { code: 'provider_failed', detail: 'Our Login did not answer as expected.' },
    })
    provider.state.isDown = false
    provider.state.isDenied = true
    expect(await goThere(newVisitor(host), { code })).toMatchObject({
      status: 502,
      body: { detail: 'Our Login refused: access_denied.' },
    })
    provider.state.isDenied = false
    expect((await goThere(newVisitor(host), { code })).status).toBe(200)
    expect(provider.state.discoveries).toBe(2 - 1)
  })
})

describe('a dangerous call', () => {
  const nonsense = { keyId: 'x' }

  it('requires a fresh sign-in at the provider', async () => {
    const visitor = await ada()
    expect((await visitor.ask(revokeKey, nonsense)).status).toBe(404)
    host.pass(5 * 60_000)
    expect(await visitor.ask(revokeKey, nonsense)).toMatchObject({ body: { code: 'passkey_needed' } })
    expect((await again(visitor)).status).toBe(403)
  })

  it('accepts one that is dated now, of the same person', async () => {
    const visitor = await ada()
    expect((await again(visitor)).status).toBe(200)
    expect(provider.state.asked.get('prompt')).toBe('login')
    expect(provider.state.asked.get('max_age')).toBe('0')
    provider.state.claims = { auth_time: Math.floor(Date.now() / 1000) - 120 }
    expect((await again(visitor)).status).toBe(403)
    provider.state.claims = { auth_time: undefined }
    expect((await again(visitor)).status).toBe(403)
    provider.state.claims = { sub: 'eve' }
    expect((await again(visitor)).status).toBe(403)
    expect((await again(owner)).status).toBe(403)
  })

  it('takes no passkey from people without an alternative, but the last one from a person with the provider', async () => {
    const visitor = await ada()
    const device = newAuthenticator(consoleOf(host))
    const { ceremony, options } = (await visitor.ask(beginPasskey)).body as {
      ceremony: string
      options: object
    }
    const added = { ceremony, response: device.make({ ...options }), name: 'Phone' }
    expect((await visitor.ask(addPasskey, added)).status).toBe(200)
    const byPasskey = newVisitor(host, device)
    expect(await byPasskey.signIn()).toMatchObject({ status: 200, body: { me: { shownBy: 'passkey' } } })
    expect((await visitor.ask(removePasskey, { passkeyId: device.id })).status).toBe(200)
    expect((await goThere(newVisitor(host))).status).toBe(200)
  })
})

test('without a provider it is not offered, and nothing is required', async () => {
  const plain = await startHost()
  const visitor = newVisitor(plain)
  expect((await visitor.ask(getProvider)).body).toEqual({ name: null })
  expect((await visitor.ask(beginProvider)).status).toBe(404)
  expect((await visitor.ask(finishProvider, { ceremony: 'x', returned: '?' })).status).toBe(404)
  await plain.close()
})

test('a start requests nothing from the provider', () => {
  expect(provider.state.discoveries).toBe(0)
})
