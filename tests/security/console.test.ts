import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { consoleLines } from '#server/app/console-lines.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createKey, getKeys } from '#shared/contract/account/account.ts'
import { createVerification, updateVerification } from '#shared/contract/configuration/verification.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { antiForgeryHeader, consoleBasePath, showingOf } from '#shared/contract/console/console-paths.ts'
import { watchSessions } from '#shared/contract/console/events.ts'
import { createCollection, deleteCollection } from '#shared/contract/recognition/recognition.ts'
import { type ConsoleVisitor, consoleOf, newVisitor, signedInAs } from '../support/console-visitor.ts'
import { type Host, startHost } from '../support/host.ts'

const {
  beginAgain,
  beginInvitation,
  changeRole,
  finishAgain,
  finishInvitation,
  getMe,
  getPeople,
  invitePerson,
  joinAccount,
  removePerson,
  switchAccount,
} = consoleCatalogue

let host: Host
let ada: ConsoleVisitor
beforeAll(async () => {
  host = await startHost()
  ada = await signedInAs(host, 'owner', 'Ada')
})
afterAll(() => host.close())

/** Invites a person, and returns the code. */
async function invite(who: ConsoleVisitor, name: string, role = 'owner'): Promise<string> {
  const { body } = await who.ask(invitePerson, { name, role })
  return String(body.url).split('#')[1]!
}

async function openNames(): Promise<unknown[]> {
  const { invitations } = (await ada.ask(getPeople)).body as { invitations: { name: string }[] }
  return invitations.map(({ name }) => name)
}

/** A request from the console's page, byte for byte. */
function begin(who: ConsoleVisitor, method: string, path: string, length?: number) {
  const { hostname, port } = new URL(host.origin)
  const headers = {
    origin: consoleOf(host),
    'sec-fetch-site': 'same-origin',
    cookie: who.cookie()!,
    [antiForgeryHeader]: who.token()!,
    ...(length === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(length) }),
  }
  return request({ hostname, port, method, path, headers })
}

/** A host with a store that answers slowly on demand. */
async function startSlow() {
  const memory = createMemoryStore()
  let milliseconds = 0
  const get: typeof memory.get = async (key) => {
    if (milliseconds > 0) await pause(milliseconds)
    return memory.get(key)
  }
  const wait = (time: number) => {
    milliseconds = time
  }
  return { host: await startHost({ store: { ...memory, get } }), wait }
}

describe('an invitation of an owner', () => {
  const ends: readonly (readonly [string, (operatorId: string) => Promise<unknown>])[] = [
    ['was removed', (operatorId) => ada.ask(removePerson, { operatorId })],
    ['has another role', (operatorId) => ada.ask(changeRole, { operatorId, role: 'developer' })],
    ['was locked out', () => host.services.lockOut(host.accountId, 'Eve')],
    [
      'lost the passkey',
      async () => {
        const asked = { name: 'Eve', role: 'owner', lifeInSeconds: 60, mayReplace: true } as const
        const { code } = await host.services.invitations.make({ accountId: host.accountId, ...asked })
        await newVisitor(host).accept(code)
      },
    ],
  ]

  test.each(ends)('who %s meanwhile lets nobody in', async (_what, end) => {
    const eve = await signedInAs(host, 'owner', 'Eve')
    const { operatorId } = eve.me()
    const code = await invite(eve, 'Mallory')
    const begun = newVisitor(host)
    const { ceremony, options } = (await begun.ask(beginInvitation, { code })).body
    expect(await openNames()).toContain('Mallory')
    await end(operatorId)
    expect(await openNames()).not.toContain('Mallory')
    const response = begun.device.make(options as Record<string, unknown>)
    for (const answer of [
      await begun.ask(finishInvitation, { code, ceremony, response }),
      await newVisitor(host).accept(code),
    ])
      expect([404, 410]).toContain(answer.status)
    const other = await host.services.accounts.create('Other')
    const olga = await signedInAs({ ...host, accountId: other.account.accountId }, 'owner', 'Olga')
    expect([404, 410]).toContain((await olga.ask(joinAccount, { code })).status)
    await ada.ask(removePerson, { operatorId })
  })

  it('who stays one does', async () => {
    const eve = await signedInAs(host, 'owner', 'Eve')
    const code = await invite(eve, 'Grace', 'viewer')
    expect((await newVisitor(host).accept(code)).status).toBe(200)
    await ada.ask(removePerson, { operatorId: eve.me().operatorId })
  })
})

test('codes printed by earlier starts are invalid once a person has an account', async () => {
  const other = await startHost()
  const { invitations } = other.services
  const given = {
    invitations,
    origin: consoleOf(other),
    waitingAccountId: other.accountId,
    mayPrint: true,
    invite: [],
  }
  const printed = [await consoleLines(given), await consoleLines(given)]
  const [first, second] = printed.map(([line]) => String(line).split('#')[1]!)
  expect((await newVisitor(other).accept(first!, 'Ada')).status).toBe(200)
  expect((await newVisitor(other).accept(second!, 'Mallory')).status).toBe(410)
  await other.close()
})

describe('a delayed body', () => {
  /** Sends a request's head, calls `meanwhile`, and only then sends the body. */
  async function holdBack(
    who: ConsoleVisitor,
    path: string,
    body: object,
    meanwhile: () => Promise<unknown>,
  ) {
    const bytes = JSON.stringify(body)
    const call = begin(who, 'POST', path, bytes.length)
    const status = new Promise<number>((answered, failed) => {
      call.once('response', (answer) => answered(answer.resume().statusCode!)).once('error', failed)
    })
    call.flushHeaders()
    await expect.poll(() => call.socket?.connecting).toBe(false)
    await pause(200)
    await meanwhile()
    call.end(bytes)
    return status
  }

  it('creates no key for a person who was removed meanwhile', async () => {
    const eve = await signedInAs(host, 'developer', 'Eve')
    const remove = () => ada.ask(removePerson, { operatorId: eve.me().operatorId })
    const asked = { name: 'held', scopes: ['configure'] }
    expect(await holdBack(eve, consoleBasePath + createKey.path, asked, remove)).toBe(403)
    const { keys } = await host.call(getKeys, {})
    expect(keys.map(({ name }) => name)).not.toContain('held')
  })

  it('invites no one for a former owner, and works as usual for a current one', async () => {
    const eve = await signedInAs(host, 'owner', 'Eve')
    const { operatorId } = eve.me()
    const asked = { name: 'Mallory', role: 'owner' }
    const less = () => ada.ask(changeRole, { operatorId, role: 'developer' })
    expect(await holdBack(eve, invitePerson.path, asked, less)).toBe(403)
    expect(await openNames()).not.toContain('Mallory')
    expect(await holdBack(ada, invitePerson.path, asked, async () => undefined)).toBe(200)
    await ada.ask(removePerson, { operatorId })
  })
})

test('the later of two owners who take each other’s role at once fails', async () => {
  const { host: slow, wait } = await startSlow()
  const both = await Promise.all([signedInAs(slow, 'owner', 'One'), signedInAs(slow, 'owner', 'Two')])
  await signedInAs(slow, 'owner', 'Three')
  wait(20)
  const [one, two] = both
  const take = (who: ConsoleVisitor, whose: ConsoleVisitor) =>
    who.ask(changeRole, { operatorId: whose.me().operatorId, role: 'viewer' })
  const statuses = (await Promise.all([take(one, two), take(two, one)])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 403])
  await slow.close()
})

describe('a tab with a view of another account', () => {
  const theirs = (who: ConsoleVisitor) => ({ showing: showingOf(who.me()) })

  it('changes nothing of the account that the other tab switched to', async () => {
    const { accountId } = host
    await ada.again()
    await ada.ask(createCollection, { collectionId: 'customers' })
    await ada.ask(switchAccount, { accountId, environment: 'test' })
    await ada.ask(createCollection, { collectionId: 'customers' })
    const tab = theirs(ada)
    await ada.ask(switchAccount, { accountId, environment: 'live' })
    const moved = { status: 403, body: { code: 'console_moved' } }
    expect(await ada.ask(deleteCollection, { collectionId: 'customers' }, tab)).toMatchObject(moved)
    expect(await ada.ask(invitePerson, { name: 'Zoe', role: 'viewer' }, tab)).toMatchObject(moved)
    expect((await ada.ask(getMe, {}, tab)).body).toMatchObject({ environment: 'live' })
    expect((await ada.ask(deleteCollection, { collectionId: 'customers' }, theirs(ada))).status).toBe(200)
  })

  it('acts for no person who signed in later', async () => {
    const bob = await signedInAs(host, 'owner', 'Bob')
    expect(await bob.ask(getKeys, {}, theirs(ada))).toMatchObject({ body: { code: 'console_moved' } })
    expect((await bob.ask(getKeys, {}, theirs(bob))).status).toBe(200)
    await ada.ask(removePerson, { operatorId: bob.me().operatorId })
  })
})

test('a stolen sign-in cannot set the webhook of a verification without the passkey', async () => {
  const verifierConfigs = { liveness: { type: 'Verification', challengeType: 'Balanced' } }
  const plain = { verifierConfigs }
  const aimed = { ...plain, webhookConfig: { eventCallbackUrl: 'http://localhost:9/keys' } }
  const made = await ada.ask(createVerification, { name: 'plain', verificationConfig: plain })
  const { verificationId } = made.body
  host.pass(5 * 60_000)
  const stale = { status: 403, body: { code: 'passkey_needed' } }
  const change = (name: string, verificationConfig: object) =>
    ada.ask(updateVerification, { verificationId, name, verificationConfig })
  expect(await ada.ask(createVerification, { name: 'new', verificationConfig: aimed })).toMatchObject(stale)
  expect(await change('plain', aimed)).toMatchObject(stale)
  await ada.again()
  expect((await change('plain', aimed)).status).toBe(200)
  host.pass(5 * 60_000)
  expect((await change('renamed', aimed)).status).toBe(200)
  await ada.again()
})

test('a passkey confirmation of one sign-in does not count for another one of the same person', async () => {
  const laptop = newVisitor(host, ada.device)
  await laptop.signIn()
  const { ceremony, options } = (await laptop.ask(beginAgain)).body
  const show = () => ada.device.show(options as Record<string, unknown>)
  expect((await ada.ask(finishAgain, { ceremony, response: show() })).status).toBe(400)
  expect((await laptop.ask(finishAgain, { ceremony, response: show() })).status).toBe(200)
})

describe('a name', () => {
  test.each([
    ['a mark that turns the writing around', 'A\u202eda'],
    ['a space of no width', 'Ada\u200b'],
    ['a joiner of words', 'Ad\u2060a'],
    ['a letter that is not seen', '\u3164'],
    ['a NUL', 'Ada\u0000'],
    ['a line’s end', 'Ada\nGrace'],
    ['half a character', 'Ada\ud800'],
  ])('with %s is refused', async (_what, name) => {
    expect(await ada.ask(invitePerson, { name, role: 'viewer' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/name' }] },
    })
  })

  test.each(['\u0410d\u0430', 'ADA', '𝐀𝐝𝐚', 'Ａｄａ'])(
    'that looks like one of the account is refused: %s',
    async (name) => {
      expect(await ada.ask(invitePerson, { name, role: 'viewer' })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      })
      const { code } = await host.services.invitations.make({
        accountId: host.accountId,
        name: null,
        role: 'viewer',
        lifeInSeconds: 60,
        mayReplace: false,
      })
      expect((await newVisitor(host).accept(code, name)).status).toBe(409)
    },
  )

  it('may have joined letters, which do not make it another name', async () => {
    expect((await ada.ask(invitePerson, { name: 'علی\u200cرضا', role: 'viewer' })).status).toBe(200)
    expect((await ada.ask(invitePerson, { name: 'A\u200dda', role: 'viewer' })).status).toBe(409)
  })
})

test.each([[5], [{}], [null], ['usb'], [[{ usb: 1 }, 'x'.repeat(50_000), 'usb']]])(
  'a passkey with nonsensical transports still opens the console',
  async (transports) => {
    const code = await invite(ada, `Device ${JSON.stringify(transports).slice(0, 20)}`, 'viewer')
    const visitor = newVisitor(host)
    const { ceremony, options } = (await visitor.ask(beginInvitation, { code })).body
    const { response: made, ...rest } = visitor.device.make(options as Record<string, unknown>)
    const response = { ...rest, response: { ...made, transports } }
    expect((await visitor.ask(finishInvitation, { code, ceremony, response })).status).toBe(200)
    expect((await visitor.again()).status).toBe(200)
    expect((await visitor.signIn()).status).toBe(200)
    expect(JSON.stringify((await visitor.ask(beginAgain)).body).length).toBeLessThan(1000)
  },
)

test('wrong keys from their address do not lock out people who are signed in', async () => {
  const limited = await startHost({ limits: { failedLogins: 3 } })
  const owner = await signedInAs(limited, 'owner')
  const guess = () => limited.fetch(getKeys.path, { headers: { authorization: 'ApiKey wrong' } })
  for (let tries = 0; tries < 3; tries++) expect((await guess()).status).toBe(401)
  expect((await guess()).status).toBe(429)
  expect((await owner.ask(getKeys)).status).toBe(200)
  await limited.close()
})

test('streams that are aborted before they begin release their place', async () => {
  const { host: tabs, wait } = await startSlow()
  const bob = await signedInAs(tabs, 'viewer', 'Bob')
  wait(30)
  for (let tab = 0; tab < 10; tab++) {
    const leaving = new AbortController()
    const headers = {
      origin: consoleOf(tabs),
      'sec-fetch-site': 'same-origin',
      cookie: bob.cookie()!,
      [antiForgeryHeader]: bob.token()!,
    }
    const opened = tabs.fetch(watchSessions.path, { headers, signal: leaving.signal })
    await pause(20)
    leaving.abort()
    await expect(opened).rejects.toThrow()
  }
  wait(0)
  await pause(200)
  const stream = await bob.open(watchSessions)
  expect(stream.status).toBe(200)
  await stream.body!.cancel()
  await tabs.close()
})
