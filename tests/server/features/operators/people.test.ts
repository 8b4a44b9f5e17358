import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { type ConsoleVisitor, consoleOf, newVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

const { changeRole, getPeople, invitePerson, removePerson, withdrawInvitation } = consoleCatalogue

let host: Host
let ada: ConsoleVisitor
beforeAll(async () => {
  host = await startHost()
  ada = await signedInAs(host, 'owner', 'Ada')
})
afterAll(() => host.close())

interface People {
  people: { name: string; role: string; isYou: boolean; operatorId: string }[]
  invitations: { name: string; invitationId: string }[]
}
const list = async (who = ada) => (await who.ask(getPeople)).body as unknown as People
const codeIn = (url: unknown) => String(url).split('#')[1]!

describe('the people of an account', () => {
  it('are invited by an owner, with an address that lets one person in once', async () => {
    const invited = await ada.ask(invitePerson, { name: ' Grace ', role: 'developer' })
    expect(invited).toMatchObject({ status: 200, body: { invitation: { name: 'Grace', role: 'developer' } } })
    expect(invited.body.url).toMatch(new RegExp(`^${consoleOf(host)}/console#[\\w-]{43}$`))
    expect((await list()).invitations).toMatchObject([{ name: 'Grace' }])
    const grace = newVisitor(host)
    expect((await grace.accept(codeIn(invited.body.url))).status).toBe(200)
    expect(await list()).toMatchObject({
      people: [
        { name: 'Ada', role: 'owner', isYou: true },
        { name: 'Grace', role: 'developer', isYou: false },
      ],
      invitations: [],
    })
    expect((await ada.ask(invitePerson, { name: 'grace', role: 'viewer' })).status).toBe(409)
    expect((await ada.ask(invitePerson, { name: 'Eve', role: 'admin' })).status).toBe(400)
    expect((await ada.ask(invitePerson, { name: ' ', role: 'viewer' })).status).toBe(400)
    expect((await ada.ask(invitePerson, { name: 'x'.repeat(101), role: 'viewer' })).status).toBe(400)
  })

  it('have three days, unless the invitation is withdrawn', async () => {
    const { body } = await ada.ask(invitePerson, { name: 'Withdrawn', role: 'viewer' })
    const { invitations } = await list()
    const { invitationId } = invitations[0]!
    expect((await ada.ask(withdrawInvitation, { invitationId })).status).toBe(200)
    expect((await newVisitor(host).accept(codeIn(body.url))).status).toBe(404)
    expect((await ada.ask(withdrawInvitation, { invitationId })).status).toBe(404)
    const { expiresAt } = (await ada.ask(invitePerson, { name: 'Late', role: 'viewer' })).body.invitation as {
      expiresAt: string
    }
    expect(Math.round((Date.parse(expiresAt) - host.now()) / 60_000)).toBe(3 * 24 * 60)
  })

  it('see each other, and only owners see the invited', async () => {
    const bob = await signedInAs(host, 'viewer', 'Bob')
    const seen = await list(bob)
    expect(seen.people.map(({ name }) => name)).toEqual(['Ada', 'Bob', 'Grace'])
    expect(seen.invitations).toEqual([])
    expect((await list()).invitations).not.toEqual([])
  })

  it('keep a last owner, who can be neither removed nor demoted', async () => {
    const { operatorId } = ada.me()
    for (const role of ['developer', 'reviewer', 'viewer'])
      expect(await ada.ask(changeRole, { operatorId, role })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
    expect((await ada.ask(removePerson, { operatorId })).status).toBe(409)
    expect((await ada.ask(changeRole, { operatorId, role: 'owner' })).status).toBe(200)
    await expect(
      host.services.invitations.make({
        accountId: host.accountId,
        name: 'Ada',
        role: 'viewer',
        lifeInSeconds: 60,
        mayReplace: true,
      }),
    ).rejects.toMatchObject({ code: 'conflict' })
    const carol = await signedInAs(host, 'owner', 'Carol')
    expect((await carol.ask(changeRole, { operatorId, role: 'developer' })).status).toBe(200)
    expect((await ada.ask(invitePerson, { name: 'Mallory', role: 'owner' })).status).toBe(403)
    await carol.ask(changeRole, { operatorId, role: 'owner' })
  })

  it('of another account are separate', async () => {
    const { account } = await host.services.accounts.create('Other')
    const other = await signedInAs({ ...host, accountId: account.accountId }, 'owner', 'Ada')
    expect((await list(other)).people).toHaveLength(1)
    const { operatorId } = ada.me()
    expect((await other.ask(removePerson, { operatorId })).status).toBe(404)
    expect((await other.ask(changeRole, { operatorId, role: 'viewer' })).status).toBe(404)
    await ada.ask(invitePerson, { name: 'Wanted', role: 'viewer' })
    const { invitationId } = (await list()).invitations.at(-1)!
    expect((await other.ask(withdrawInvitation, { invitationId })).status).toBe(404)
    const there = { accountId: host.accountId, environment: 'live' }
    expect((await other.ask(consoleCatalogue.switchAccount, there)).status).toBe(403)
  })

  it('are in the audit log with the person who changed them', async () => {
    const dora = await signedInAs(host, 'viewer', 'Dora')
    const { operatorId } = dora.me()
    await ada.ask(changeRole, { operatorId, role: 'reviewer' })
    await ada.ask(removePerson, { operatorId })
    const entries = await host.services.auditLog.page(host.accountId, 2, undefined)
    const actor = { kind: 'operator', operator: { name: 'Ada', operatorId: ada.me().operatorId } }
    expect(entries).toMatchObject([
      { operation: 'removePerson', resources: { operatorId }, actor, outcome: 'succeeded' },
      { operation: 'changeRole', resources: { operatorId, role: 'reviewer' }, actor },
    ])
  })

  it('leave nothing behind if they are in no other account', async () => {
    const eve = await signedInAs(host, 'viewer', 'Eve')
    const { operatorId } = eve.me()
    await ada.ask(removePerson, { operatorId })
    expect(await host.services.operators.operators.get('', operatorId)).toBeUndefined()
    expect(await host.services.operators.holders.get('', eve.device.id)).toBeUndefined()
    expect((await eve.signIn()).status).toBe(401)
  })
})
