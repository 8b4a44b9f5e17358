import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { newAuthenticator } from '../../../support/authenticator.ts'
import { type ConsoleVisitor, consoleOf, newVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'

const { addPasskey, beginPasskey, getMe, getPasskeys, getSignIns, removePasskey, renamePasskey } =
  consoleCatalogue

let host: Host
let ada: ConsoleVisitor
beforeEach(async () => {
  host = await startHost()
  ada = await signedInAs(host, 'viewer', 'Ada')
})
afterEach(() => host.close())

const newDevice = () => newAuthenticator(consoleOf(host))
const begin = async () => (await ada.ask(beginPasskey)).body as { ceremony: string; options: object }
const list = async () => (await ada.ask(getPasskeys)).body.passkeys as Record<string, unknown>[]

async function add(name = 'Phone', device = newDevice()) {
  const { ceremony, options } = await begin()
  const answer = await ada.ask(addPasskey, { ceremony, response: device.make({ ...options }), name })
  return { device, answer }
}

describe('the passkeys of a person', () => {
  it('begin with that of the invitation, named after its browser', async () => {
    expect(await list()).toEqual([
      { passkeyId: ada.device.id, name: 'Unknown', made: expect.any(String), lastUsed: null },
    ])
  })

  it('are added to it: either signs in, and each shows its last use', async () => {
    const { device, answer } = await add()
    expect(answer).toMatchObject({ status: 200, body: { passkeyId: device.id } })
    host.pass(60_000)
    const other = newVisitor(host, device)
    expect(await other.signIn()).toMatchObject({ status: 200, body: { me: { name: 'Ada' } } })
    expect((await newVisitor(host, ada.device).signIn()).status).toBe(200)
    expect(await list()).toMatchObject([
      { passkeyId: ada.device.id, lastUsed: expect.any(String) },
      { passkeyId: device.id, name: 'Phone', lastUsed: expect.any(String) },
    ])
    expect((await other.again()).status).toBe(200)
  })

  it('are offered for a device that has none of them yet, and require a recently shown one', async () => {
    const { device } = await add()
    const { options } = await begin()
    expect(options).toMatchObject({
      excludeCredentials: [{ id: ada.device.id }, { id: device.id }],
      user: { name: 'Ada' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    host.pass(5 * 60_000)
    const refused = { status: 403, body: { code: 'passkey_needed' } }
    expect(await ada.ask(beginPasskey)).toMatchObject(refused)
    expect(await ada.ask(removePasskey, { passkeyId: device.id })).toMatchObject(refused)
    expect((await ada.ask(renamePasskey, { passkeyId: device.id, name: 'Old phone' })).status).toBe(200)
    expect(await list()).toMatchObject([{}, { name: 'Old phone' }])
  })

  it('accept each answer once, only from the person who asked, and no passkey that is taken', async () => {
    const { ceremony, options } = await begin()
    const body = { ceremony, response: newDevice().make({ ...options }), name: 'Phone' }
    const bob = await signedInAs(host, 'owner', 'Bob')
    expect((await bob.ask(addPasskey, body)).status).toBe(400)
    expect((await ada.ask(addPasskey, body)).status).toBe(200)
    expect((await ada.ask(addPasskey, body)).status).toBe(400)
    for (const device of [ada.device, bob.device])
      expect((await add('Again', device)).answer).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '#/response' }] },
      })
    expect(await list()).toHaveLength(2)
  })

  it('are ten at most', async () => {
    const late = await begin()
    for (let i = 2; i <= 10; i++) expect((await add(`${i}`)).answer.status).toBe(200)
    const full = { status: 409, body: { code: 'limit_reached' } }
    expect(await ada.ask(beginPasskey)).toMatchObject(full)
    const response = newDevice().make({ ...late.options })
    const { ceremony } = late
    expect(await ada.ask(addPasskey, { ceremony, response, name: '11' })).toMatchObject(full)
    expect(await list()).toHaveLength(10)
  })

  it('are removed with the sign-ins begun with them, never the last, and never another person’s', async () => {
    const { device } = await add()
    const lost = newVisitor(host, device)
    await lost.signIn()
    const here = newVisitor(host, ada.device)
    await here.signIn()
    const bob = await signedInAs(host, 'owner', 'Bob')
    expect((await bob.ask(removePasskey, { passkeyId: device.id })).status).toBe(404)
    expect((await bob.ask(renamePasskey, { passkeyId: device.id, name: 'Mine' })).status).toBe(404)
    expect((await ada.ask(removePasskey, { passkeyId: 'x' })).status).toBe(404)
    expect((await ada.ask(removePasskey, { passkeyId: device.id })).status).toBe(200)
    expect((await lost.ask(getMe)).status).toBe(401)
    expect((await newVisitor(host, device).signIn()).status).toBe(401)
    expect((await here.ask(getMe)).status).toBe(200)
    expect(await ada.ask(removePasskey, { passkeyId: ada.device.id })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect((await add('Phone', device)).answer.status).toBe(200)
  })

  it('let a person continue after removing the one in use', async () => {
    await add()
    expect((await ada.ask(removePasskey, { passkeyId: ada.device.id })).status).toBe(200)
    expect((await ada.ask(getSignIns)).body.sessions).toHaveLength(1)
  })

  it('are not both removed by two concurrent removals', async () => {
    const { device } = await add()
    const answers = await Promise.all(
      [ada.device.id, device.id].map((passkeyId) => ada.ask(removePasskey, { passkeyId })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await list()).toHaveLength(1)
  })

  test.each(['', ' ', 'x'.repeat(61)])('refuse the name %j', async (name) => {
    const passkeyId = ada.device.id
    expect(await ada.ask(renamePasskey, { passkeyId, name })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/name' }] },
    })
    expect((await ada.ask(renamePasskey, { passkeyId, name: 'x'.repeat(60) })).status).toBe(200)
  })

  it('are changed in the audit log under the name of their person', async () => {
    const { device } = await add()
    await ada.ask(renamePasskey, { passkeyId: device.id, name: 'Old phone' })
    await ada.ask(removePasskey, { passkeyId: device.id })
    const entries = await host.services.auditLog.page(host.accountId, 3, undefined)
    const by = { kind: 'operator', operator: { name: 'Ada' } }
    expect(entries).toMatchObject(
      ['removePasskey', 'renamePasskey', 'addPasskey'].map((operation) => ({
        operation,
        actor: by,
        resources: { passkeyId: device.id },
        outcome: 'succeeded',
      })),
    )
  })
})
