import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { getSession } from '#shared/contract/sessions/session.ts'
import { cancelHandoff, createHandoff, takeHandoff } from '#shared/contract/sessions/session-handoff.ts'
import { type Host, startHost } from '../support/host.ts'
import { describeOnSharedStores } from '../support/stores.ts'
import { newVerification, openSession, problemOf, step } from '../support/visit.ts'

let own: Host
let store: Store
beforeAll(async () => {
  store = createMemoryStore()
  own = await startHost({ store })
})
afterAll(() => own.close())

const anna = { person: 'anna' }
const live = { verifierConfigs: { liveness: { type: 'Verification' as const } } }

async function open(host = own) {
  const desk = await openSession(host, await newVerification(host, live))
  const { code, url } = await host.call(createHandoff, { bearer: desk.bearer })
  return { desk, code, url }
}
const take = (code: string, host = own) => host.call(takeHandoff, { body: { code } })

describe('a handoff code', () => {
  test.each([
    [179, 'no problem'],
    [181, 'handoff_expired'],
  ])('%i seconds old answers %s', async (seconds, expected) => {
    const host = await startHost()
    const { code } = await open(host)
    host.pass(seconds * 1000)
    expect(await problemOf(take(code, host))).toBe(expected)
    await host.close()
  })

  test('has 50 bits of entropy', async () => {
    const codes = await Promise.all(Array.from({ length: 40 }, async () => (await open()).code))
    expect(new Set(codes).size).toBe(40)
    const signs = new Set(codes.join('').replaceAll('-', ''))
    expect(signs.size).toBe(32)
  })

  test('is in the fragment of the address, which no server and no referrer sees', async () => {
    const { code, url } = await open()
    const { pathname, search, hash } = new URL(url)
    expect({ pathname, search, hash }).toEqual({
      pathname: '/handoff',
      search: '',
      hash: `#${code.replace('-', '')}`,
    })
  })

  test('is not stored, and neither is the token of the session', async () => {
    const { desk, code } = await open()
    for await (const { key, value } of store.list('')) {
      const text = `${key} ${Buffer.from(value).toString()}`
      for (const secret of [code, code.replace('-', ''), desk.sessionToken])
        expect(text).not.toContain(secret)
    }
  })

  test('does not reveal why it is invalid', async () => {
    const answers = []
    const used = await open()
    await take(used.code)
    const begun = await open()
    await step(own, begun.desk, 0, anna)
    const cancelled = await open()
    await own.call(cancelHandoff, { bearer: cancelled.desk.bearer })
    for (const code of [used.code, begun.code, cancelled.code, '00000-00000', 'x', '%00']) {
      const answer = await own.fetch(takeHandoff.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      })
      const { requestId: _own, ...problem } = await answer.json()
      answers.push(JSON.stringify({ status: answer.status, ...problem }))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('"status":410')
  })

  test('expires with its session', async () => {
    const host = await startHost()
    const desk = await openSession(host, await newVerification(host, live))
    host.pass(14 * 60_000)
    const { code } = await host.call(createHandoff, { bearer: desk.bearer })
    host.pass(61_000)
    expect(await problemOf(take(code, host))).toBe('handoff_expired')
    await host.close()
  })

  test('is guessed no more often than the sessions of an address may be opened', async () => {
    const host = await startHost({ limits: { inits: 3 } })
    const guesses = []
    for (let guess = 0; guess < 4; guess++) guesses.push(await problemOf(take(`AAAAA-AAAA${guess}`, host)))
    expect(guesses).toEqual(['handoff_expired', 'handoff_expired', 'handoff_expired', 'too_many_requests'])
    await host.close()
  })
})

describeOnSharedStores('two processes', (shared) => {
  let hosts: [Host, Host]
  beforeAll(async () => {
    const one = await startHost({ store: await shared.open() })
    hosts = [one, await startHost({ store: await shared.open(), ports: { issuer: () => one.origin } })]
  })
  afterAll(async () => {
    for (const host of hosts) await host.close()
  })

  test('of 50 devices that use one code at once, one takes over the session', async () => {
    const { code } = await open(hosts[0])
    const takes = Array.from({ length: 50 }, (_, i) => problemOf(take(code, hosts[i % 2])))
    const codes = await Promise.all(takes)
    expect(codes.filter((one) => one === 'no problem')).toHaveLength(1)
    expect(codes.filter((one) => one === 'handoff_expired')).toHaveLength(49)
  })

  test('of two devices that submit at once, the one that holds the session is accepted', async () => {
    const { desk, code } = await open(hosts[0])
    const taken = await take(code, hosts[1])
    const phone = { ...taken, bearer: taken.sessionToken }
    const both = await Promise.all([
      problemOf(step(hosts[1], desk, 0, anna)),
      problemOf(step(hosts[0], phone, 0, anna)),
    ])
    expect(both).toEqual(['session_handed_over', 'no problem'])
  })

  test("a device takes over during another's submission: one of them is refused", async () => {
    const { desk, code } = await open(hosts[0])
    const [taking, handing] = await Promise.all([
      problemOf(take(code, hosts[1])),
      problemOf(step(hosts[0], desk, 0, anna)),
    ])
    expect([taking, handing].filter((one) => one === 'no problem')).toHaveLength(1)
    const { state, handoff } = await hosts[0].call(getSession, { bearer: desk.bearer })
    expect(state).toBe(handing === 'no problem' ? 'Started' : 'Created')
    expect(handoff === null).toBe(handing === 'no problem')
  })
})
