import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allOf } from '#server/platform/store/all-of.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { type Store, WriteFailed } from '#server/platform/store/store.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { newVisitor, signedInAs } from '../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { describeOnSharedStores } from '../../../support/stores.ts'

const { getMe, getSignIns, endSignIn, removePerson, switchAccount } = consoleCatalogue
const minute = 60_000

function tests(open: (now: () => number) => Promise<Store> | Store) {
  let host: Host
  let ahead = 0
  const pass = (milliseconds: number) => {
    ahead += milliseconds
  }
  beforeAll(async () => {
    // The store uses the server's clock, which the test can set.
    const store = await open(() => Date.now() + ahead)
    const started = await startHost({ store, ports: { now: () => Date.now() + ahead } })
    host = { ...started, pass }
  })
  afterAll(() => host.close())
  afterEach(() => expect(host.errors).toEqual([]))

  it('ends after thirty minutes without a call, and not before', async () => {
    const ada = await signedInAs(host, 'owner', `Idle ${ahead}`)
    host.pass(30 * minute - 2000)
    expect((await ada.ask(getMe)).status).toBe(200)
    host.pass(30 * minute - 2000)
    expect((await ada.ask(getMe)).status).toBe(200)
    host.pass(30 * minute)
    expect((await ada.ask(getMe)).status).toBe(401)
  })

  it('ends after twelve hours, however busy', async () => {
    const ada = await signedInAs(host, 'owner', `Busy ${ahead}`)
    const { endsAt } = ada.me()
    for (let at = 0; at < 36; at++) {
      expect((await ada.ask(getMe)).status).toBe(200)
      host.pass(20 * minute - 1000)
    }
    expect((await ada.ask(getMe)).body.endsAt).toBe(endsAt)
    host.pass(36_000)
    expect((await ada.ask(getMe)).status).toBe(401)
    expect(Date.parse(endsAt)).toBeLessThanOrEqual(Date.now() + ahead)
    expect((await ada.signIn()).status).toBe(200)
  })

  it('lists where a person is signed in, and ends one of them permanently', async () => {
    const here = await signedInAs(host, 'viewer', `Twice ${ahead}`)
    const there = newVisitor(host, here.device)
    host.pass(minute)
    await there.signIn()
    const { sessions } = (await here.ask(getSignIns)).body as {
      sessions: { signInId: string; isThis: boolean }[]
    }
    expect(sessions.map(({ isThis }) => isThis)).toEqual([false, true])
    const { signInId } = sessions[0]!
    host.pass(2 * minute)
    // If a concurrent call records that it was used, this does not restore anything.
    await Promise.all([there.ask(getMe), here.ask(endSignIn, { signInId }), there.ask(getMe)])
    expect((await there.ask(getMe)).status).toBe(401)
    expect((await here.ask(getMe)).status).toBe(200)
    expect((await here.ask(endSignIn, { signInId })).status).toBe(404)
  })

  it('is changed by many calls at once, and each counts', async () => {
    const ada = await signedInAs(host, 'owner', `Many ${ahead}`)
    const { accountId } = ada.me()
    await ada.ask(switchAccount, { accountId, environment: 'test' })
    host.pass(2 * minute)
    const asked = Array.from({ length: 20 }, (_, i) =>
      ada.ask(switchAccount, { accountId, environment: i % 2 === 0 ? 'live' : 'test' }),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('does not end those of others', async () => {
    const mine = await signedInAs(host, 'owner', `Mine ${ahead}`)
    const theirs = await signedInAs(host, 'viewer', `Theirs ${ahead}`)
    const { sessions } = (await theirs.ask(getSignIns)).body as { sessions: { signInId: string }[] }
    expect(sessions).toHaveLength(1)
    expect((await mine.ask(endSignIn, { signInId: sessions[0]!.signInId })).status).toBe(404)
    expect((await theirs.ask(getMe)).status).toBe(200)
  })

  it('does not let two owners remove each other at once', async () => {
    const { account } = await host.services.accounts.create('Two owners')
    const house = { ...host, accountId: account.accountId }
    const [a, b] = [await signedInAs(house, 'owner', 'A'), await signedInAs(house, 'owner', 'B')]
    const outcomes = await Promise.all([
      a.ask(removePerson, { operatorId: b.me().operatorId }),
      b.ask(removePerson, { operatorId: a.me().operatorId }),
    ])
    const statuses = outcomes.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    const team = await host.services.operators.teams.get('', account.accountId)
    expect(team?.members).toHaveLength(1)
  })
}

describe('on a full disk', () => {
  async function start() {
    let [ahead, isFull] = [0, false]
    const now = () => Date.now() + ahead
    const store = createMemoryStore(now)
    const full: Store = {
      ...store,
      commit: async (writes, guards) => {
        if (isFull) throw new WriteFailed('No space left on device')
        return store.commit(writes, guards)
      },
    }
    const started = await startHost({ store: full, ports: { now } })
    const pass = (milliseconds: number) => {
      ahead += milliseconds
    }
    const fill = (full: boolean) => {
      isFull = full
    }
    return { host: { ...started, pass }, fill, pass }
  }

  it('reads are answered without recording their use; a sign-out still works', async () => {
    const { host, fill, pass } = await start()
    const ada = await signedInAs(host, 'owner', 'Ada')
    fill(true)
    pass(2 * minute)
    expect((await ada.ask(getMe)).status).toBe(200)
    expect((await ada.ask(getSignIns)).status).toBe(200)
    pass(30 * minute)
    expect((await ada.ask(getMe)).status).toBe(401)
    await host.close()
  })

  it('a working person stays signed in, up to twelve hours, and an idle one is signed out', async () => {
    const { host, fill, pass } = await start()
    const [ada, idle] = [await signedInAs(host, 'owner', 'Ada'), await signedInAs(host, 'viewer', 'Idle')]
    fill(true)
    for (let at = 0; at < 36; at++) {
      expect((await ada.ask(getMe)).status).toBe(200)
      pass(20 * minute - 1000)
      if (at === 1) expect((await idle.ask(getMe)).status).toBe(401)
    }
    pass(36_000)
    expect((await ada.ask(getMe)).status).toBe(401)
    await host.close()
  })

  it('a sign-in that is ended elsewhere is over, even if it was in use', async () => {
    const { host, fill, pass } = await start()
    const here = await signedInAs(host, 'viewer', 'Twice')
    const there = newVisitor(host, here.device)
    await there.signIn()
    fill(true)
    for (const visitor of [here, there, here, there]) {
      pass(12 * minute)
      expect((await visitor.ask(getMe)).status).toBe(200)
    }
    fill(false)
    const { sessions } = (await here.ask(getSignIns)).body as {
      sessions: { signInId: string; isThis: boolean }[]
    }
    const other = sessions.find(({ isThis }) => !isThis)!
    expect((await here.ask(endSignIn, { signInId: other.signInId })).status).toBe(200)
    expect((await there.ask(getMe)).status).toBe(401)
    await host.close()
  })

  it('missed writes are made once there is room, for every other process', async () => {
    const { host, fill, pass } = await start()
    const ada = await signedInAs(host, 'owner', 'Ada')
    fill(true)
    for (const _call of [1, 2]) {
      pass(20 * minute)
      expect((await ada.ask(getMe)).status).toBe(200)
    }
    fill(false)
    pass(2 * minute)
    expect((await ada.ask(getMe)).status).toBe(200)
    const [written] = await allOf(host.services.operators.signIns.list(ada.me().operatorId))
    expect(written!.lastSeenAt - written!.begunAt).toBeGreaterThanOrEqual(42 * minute)
    await host.close()
  })
})

describe('sign-ins, in memory', () => tests((now) => createMemoryStore(now)))
describeOnSharedStores('sign-ins', (shared) => tests((now) => shared.open(now)))
