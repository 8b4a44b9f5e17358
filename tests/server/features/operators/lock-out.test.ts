import { afterAll, beforeAll, expect, test } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { newVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

let host: Host
beforeAll(async () => {
  host = await startHost()
})
afterAll(() => host.close())

test('a locked-out person is signed out at once, and can only return by an invitation', async () => {
  const ada = await signedInAs(host, 'owner', 'Ada')
  const tablet = newVisitor(host, ada.device)
  await tablet.signIn()
  const bob = await signedInAs(host, 'viewer', 'Bob')
  const { accountId } = host
  expect(await host.services.lockOut(accountId, ' ada')).toMatchObject({ name: 'Ada', role: 'owner' })
  for (const visitor of [ada, tablet]) {
    expect((await visitor.ask(consoleCatalogue.getMe)).status).toBe(401)
    expect((await visitor.signIn()).status).toBe(401)
  }
  expect((await bob.ask(consoleCatalogue.getMe)).status).toBe(200)
  const asked = { accountId, name: 'Ada', role: 'owner', lifeInSeconds: 60, mayReplace: true } as const
  const { code } = await host.services.invitations.make(asked)
  const back = newVisitor(host)
  expect((await back.accept(code)).body.me).toMatchObject({ name: 'Ada', role: 'owner' })
  expect((await back.signIn()).status).toBe(200)
})

test('no one else is affected, and no name that the account does not know', async () => {
  const { account } = await host.services.accounts.create('Other')
  await expect(host.services.lockOut(account.accountId, 'Ada')).rejects.toMatchObject({ code: 'not_found' })
  await expect(host.services.lockOut(host.accountId, 'Eve')).rejects.toMatchObject({ code: 'not_found' })
})
