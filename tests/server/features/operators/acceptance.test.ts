import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { newVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

const { beginInvitation, finishInvitation, getMe, joinAccount } = consoleCatalogue

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

type Asked = Parameters<Host['services']['invitations']['make']>[0]
const invite = (asked: Partial<Asked> = {}) =>
  host.services.invitations.make({
    accountId: host.accountId,
    name: null,
    role: 'viewer',
    lifeInSeconds: 900,
    mayReplace: false,
    ...asked,
  })

describe('an invitation', () => {
  it('is valid once', async () => {
    const { code } = await invite({ name: 'Once' })
    const visitor = newVisitor(host)
    expect((await visitor.accept(code)).status).toBe(200)
    for (const [endpoint, given] of [
      [beginInvitation, { code }],
      [finishInvitation, { code, ceremony: 'x', response: {} }],
    ] as const) {
      expect(await newVisitor(host).ask(endpoint, given)).toMatchObject({
        status: 410,
        body: { code: 'link_already_used' },
      })
    }
  })

  it('lets in one of two people who accept it at the same time', async () => {
    const { code } = await invite()
    const both = await Promise.all([
      newVisitor(host).accept(code, 'First'),
      newVisitor(host).accept(code, 'Second'),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  it('is valid for its time, and is reported as expired for a day', async () => {
    const { code } = await invite({ name: 'Late' })
    const { code: other } = await invite({ name: 'Just in time' })
    host.pass(899_000)
    expect((await newVisitor(host).accept(other)).status).toBe(200)
    host.pass(1000)
    expect(await newVisitor(host).accept(code)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    host.pass(24 * 3600_000)
    expect((await newVisitor(host).accept(code)).status).toBe(404)
  })

  it('cannot be guessed', async () => {
    expect((await newVisitor(host).accept('x'.repeat(43))).status).toBe(404)
    const limited = await startHost({ limits: { inits: 2 } })
    const visitor = newVisitor(limited)
    const statuses = ['a', 'b', 'c'].map(async (code) => (await visitor.accept(code)).status)
    expect((await Promise.all(statuses)).sort()).toEqual([404, 404, 429])
    await limited.close()
  })

  it('asks for a name if it contains none, and refuses a taken one in any spelling', async () => {
    const { code } = await invite()
    expect(await newVisitor(host).accept(code)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/name' }] },
    })
    expect((await newVisitor(host).accept(code, '  ONCE ')).status).toBe(409)
    expect(await newVisitor(host).accept(code, ' Grace ')).toMatchObject({
      status: 200,
      body: { me: { name: 'Grace', role: 'viewer' } },
    })
    const [entry] = await host.services.auditLog.page(host.accountId, 1, undefined)
    expect(entry).toMatchObject({
      operation: 'takeInvitation',
      resources: { role: 'viewer' },
      actor: { kind: 'operator', operator: { name: 'Grace' } },
    })
  })

  it('refuses a passkey that was created for another purpose', async () => {
    const { code } = await invite({ name: 'Mixed' })
    const { code: other } = await invite({ name: 'Mixed up' })
    const visitor = newVisitor(host)
    const begun = (await visitor.ask(beginInvitation, { code: other })).body as {
      ceremony: string
      options: object
    }
    const response = visitor.device.make({ ...begun.options })
    expect((await visitor.ask(finishInvitation, { code, ceremony: begun.ceremony, response })).status).toBe(
      400,
    )
  })

  it('for an existing name replaces every passkey, and signs their holders out', async () => {
    const lost = await signedInAs(host, 'developer', 'Linus')
    const { code } = await invite({ name: 'linus', role: 'reviewer', mayReplace: true })
    const found = newVisitor(host)
    const { body } = await found.accept(code)
    expect(body.me).toMatchObject({ operatorId: lost.me().operatorId, name: 'Linus', role: 'reviewer' })
    expect((await lost.ask(getMe)).status).toBe(401)
    expect((await lost.signIn()).status).toBe(401)
    expect((await found.signIn()).status).toBe(200)
    await expect(invite({ name: 'Linus' })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('lets a signed-in person join another account, and switch back and forth', async () => {
    const ada = await signedInAs(host, 'owner', 'Ada')
    const second = await host.services.accounts.create('Second account')
    const { accountId } = second.account
    const { code } = await invite({ accountId, role: 'developer' })
    const joined = await ada.ask(joinAccount, { code })
    expect(joined.body).toMatchObject({
      accountId,
      role: 'developer',
      accounts: [{ role: 'owner' }, { accountId }],
    })
    expect((await ada.ask(joinAccount, { code })).status).toBe(410)
    const back = { accountId: host.accountId, environment: 'live' }
    expect((await ada.ask(consoleCatalogue.switchAccount, back)).body).toMatchObject({ role: 'owner' })
    const { code: again } = await invite({ accountId })
    expect((await ada.ask(joinAccount, { code: again })).status).toBe(409)
    expect((await ada.ask(joinAccount, { code: 'x' })).status).toBe(404)
    expect((await ada.ask(joinAccount, {})).status).toBe(400)
  })
})
