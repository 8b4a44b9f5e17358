import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, getKeys, revokeKey, setPrimaryKey } from '#shared/contract/account/account.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { type ConsoleVisitor, newVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

const { beginAgain, finishAgain, getMe, switchAccount } = consoleCatalogue

let host: Host
let ada: ConsoleVisitor
beforeAll(async () => {
  host = await startHost()
  ada = await signedInAs(host, 'owner', 'Ada')
})
afterAll(() => host.close())

describe('a signed-in person', () => {
  it('learns who they are, and whether the account has a name yet', async () => {
    expect((await ada.ask(getMe)).body).toMatchObject({
      name: 'Ada',
      accountId: host.accountId,
      environment: 'live',
      accounts: [{ accountId: host.accountId, name: 'Test account', hasDefaultName: false, role: 'owner' }],
    })
    await host.services.accounts.update(host.accountId, { name: 'My account' })
    expect((await ada.ask(getMe)).body).toMatchObject({ accounts: [{ hasDefaultName: true }] })
    await host.services.accounts.update(host.accountId, { name: 'Bank' })
  })

  it('shows the passkey again, their own and no other', async () => {
    const bob = await signedInAs(host, 'owner', 'Bob')
    const before = Date.parse(ada.me().passkeyShownUntil)
    host.pass(60_000)
    expect((await ada.again()).status).toBe(200)
    expect(Date.parse(ada.me().passkeyShownUntil)).toBeGreaterThanOrEqual(before + 60_000)
    const { ceremony, options } = (await ada.ask(beginAgain)).body as { ceremony: string; options: object }
    expect(options).toMatchObject({ allowCredentials: [{ id: ada.device.id }], userVerification: 'required' })
    const response = bob.device.show({ ...options })
    expect((await ada.ask(finishAgain, { ceremony, response })).status).toBe(403)
    const unasked = { ceremony, response: ada.device.show({ ...options }) }
    expect((await ada.ask(finishAgain, unasked)).status).toBe(400)
    const bobs = (await bob.ask(beginAgain)).body
    const taken = { ceremony: bobs.ceremony, response: ada.device.show({ ...(bobs.options as object) }) }
    expect((await ada.ask(finishAgain, taken)).status).toBe(400)
  })

  it('creates the test account by switching there, with a building role; others wait for them', async () => {
    const { accountId } = host
    const viewer = await signedInAs(host, 'viewer', 'Vera')
    const there = { accountId, environment: 'test' }
    expect((await viewer.ask(switchAccount, there)).status).toBe(403)
    const both = await Promise.all([ada.ask(switchAccount, there), ada.ask(switchAccount, there)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const { testAccountId } = (await host.services.accounts.find(accountId))!
    expect(testAccountId).toBeDefined()
    expect((await viewer.ask(switchAccount, there)).status).toBe(200)
    expect((await ada.ask(switchAccount, { accountId, environment: 'other' })).status).toBe(400)
    expect((await ada.ask(switchAccount, { accountId: 'x', environment: 'live' })).status).toBe(403)
    expect((await ada.ask(switchAccount, { accountId: testAccountId, environment: 'live' })).status).toBe(403)
    await ada.ask(switchAccount, { accountId, environment: 'live' })
  })

  it('creates and revokes no key with more permissions than theirs', async () => {
    await ada.again()
    const dev = await signedInAs(host, 'developer', 'Dev')
    const [first] = (await host.call(getKeys, {})).keys
    const keyId = first!.keyId
    const asked = { name: 'Strong', scopes: ['admin', 'configure'] }
    // Developers may not review sessions, and neither may their keys.
    for (const scopes of [asked.scopes, ['review'], ['configure', 'review']])
      expect((await dev.ask(createKey, { ...asked, scopes })).status).toBe(403)
    expect((await dev.ask(revokeKey, { keyId })).status).toBe(403)
    expect((await dev.ask(setPrimaryKey, { keyId })).status).toBe(403)
    const own = await dev.ask(createKey, {
      name: 'Own',
      scopes: ['configure', 'analyse', 'tokens'],
    })
    expect(own.status).toBe(200)
    expect((await dev.ask(revokeKey, { keyId: own.body.keyId })).status).toBe(200)
    const strong = await ada.ask(createKey, asked)
    expect(strong.status).toBe(200)
    expect((await ada.ask(revokeKey, { keyId: strong.body.keyId })).status).toBe(200)
    expect((await host.call(getKeys, { apiKey: host.apiKey })).keys[0]!.revoked).toBeNull()
  })

  it('is rejected if the sign-in ended during a change', async () => {
    const gone = await signedInAs(host, 'viewer', 'Gone')
    const begun = (await gone.ask(beginAgain)).body as { ceremony: string; options: object }
    const { code } = await host.services.invitations.make({
      accountId: host.accountId,
      name: 'Gone',
      role: 'viewer',
      lifeInSeconds: 60,
      mayReplace: true,
    })
    await newVisitor(host).accept(code)
    const response = gone.device.show({ ...begun.options })
    expect((await gone.ask(finishAgain, { ceremony: begun.ceremony, response })).status).toBe(401)
  })
})
