import * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSessionStore } from '#server/features/sessions/records/session-store.ts'
import { createKeyRing } from '#server/platform/crypto/key-ring.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store } from '#server/platform/store/store.ts'
import { deletePerson } from '#shared/contract/account/person.ts'
import { updateVerification } from '#shared/contract/configuration/verification.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Host } from '../../../support/host.ts'
import { openBrowser } from '../../../support/openid/browser.ts'
import {
  actVisit,
  configure,
  type NewClient,
  newClient,
  newRequest,
  startProvider,
} from '../../../support/openid/site.ts'
import { visit } from '../../../support/visit.ts'

const nothing = async () => {}
/** Hooks that run before a visit is stored, and before a person's name is requested. */
const before = { keeping: nothing, salt: nothing }
const memory = createMemoryStore(Date.now)
const store: Store = {
  ...memory,
  async get(key) {
    if (key.startsWith('openid-subject/')) await before.salt()
    return memory.get(key)
  },
  async commit(writes, guards) {
    if (writes.some(({ key, kind }) => key.startsWith('openid-visit/') && kind === 'put'))
      await before.keeping()
    return memory.commit(writes, guards)
  },
}

let host: Host
beforeAll(async () => {
  host = await startProvider({ store })
})
beforeEach(() => Object.assign(before, { keeping: nothing, salt: nothing }))
afterAll(() => host.close())

const person = { person: 'a', age: 34 }
const other = { person: 'b', age: 30 }
const live = { liveness: { type: 'Verification' as const, evidence: 'optional' as const } }
const recognising = (
  type: 'MatchVerification' | 'Disabled' | 'CalculationOnly' | 'DuplicateVerification',
) => ({
  verifierConfigs: { ...live, faceRecognition: { type } },
})
const asAda = { scope: 'openid match', login_hint: 'ada' }
const answerOf = (address: string) => Object.fromEntries(new URL(address).searchParams)

/** Continues up to the redirect that leads the browser to the visit. */
async function begun(made: NewClient, parameters: Record<string, string>) {
  const config = await configure(made)
  const { asked, checks } = await newRequest(parameters)
  const { href } = await client.buildAuthorizationUrlWithPAR(config, asked)
  const browser = openBrowser()
  const response = await browser.fetch(href)
  const way = new URL(response.headers.get('Location')!, host.origin).href
  expect(way).toContain('/openid/visit/')
  const redeem = async (address: string) =>
    (await client.authorizationCodeGrant(config, new URL(address), checks)).claims()!
  return { browser, way, redeem }
}

const change = ({ verificationId }: NewClient, verificationConfig: VerificationConfig) =>
  host.call(updateVerification, { body: { verificationId, verificationConfig } })

describe('a changed verification', () => {
  test.each(['Disabled', 'CalculationOnly', 'DuplicateVerification'] as const)(
    'to %s before the visit is opened opens none: without a comparison no person can be matched',
    async (type) => {
      const made = await newClient(host, recognising('MatchVerification'))
      const { browser, way } = await begun(made, asAda)
      await change(made, recognising(type))
      const { response } = await browser.follow(way, host.origin)
      expect(response.status).toBe(409)
      expect(await response.text()).toContain('conflict')
    },
  )

  test('to one that compares opens none for a request without a comparison', async () => {
    const made = await newClient(host, recognising('Disabled'))
    const { browser, way } = await begun(made, {})
    await change(made, recognising('MatchVerification'))
    expect((await browser.follow(way, host.origin)).response.status).toBe(409)
  })

  test('after the visit is open changes nothing of it: the face is still compared', async () => {
    const made = await newClient(host, recognising('MatchVerification'))
    await visit(host, made.verificationId, person, 'reExternalId=ada')
    const [own, foreign] = [await begun(made, asAda), await begun(made, asAda)]
    const pages = [
      await own.browser.follow(own.way, host.origin),
      await foreign.browser.follow(foreign.way, host.origin),
    ]
    await change(made, recognising('Disabled'))
    const ownBack = await actVisit(host, pages[0]!.address, person)
    const { address } = await own.browser.follow(ownBack, host.origin)
    expect(await own.redeem(address)).toMatchObject({ matched: true })
    const foreignBack = await actVisit(host, pages[1]!.address, other)
    const refused = await foreign.browser.follow(foreignBack, host.origin)
    expect(answerOf(refused.address).error).toBe('access_denied')
  })

  test.each(['Disabled', 'CalculationOnly', 'DuplicateVerification'] as const)(
    'to %s, for a visit that was opened nevertheless, signs no one in at its end: no face was compared',
    async (type) => {
      const made = await newClient(host, recognising('MatchVerification'))
      await visit(host, made.verificationId, person, 'reExternalId=ada')
      const { browser, way } = await begun(made, asAda)
      const page = (await browser.follow(way, host.origin)).address
      // As if opened by a program that does not check again when the visit begins.
      const sessions = createSessionStore(host.store, createKeyRing(Buffer.alloc(32, 7), 'EU'), host.now)
      const sessionId = new URL(page).pathname.split('/').at(-1)!
      const read = (await sessions.read(host.accountId, sessionId))!
      const verifiers = { ...read.value.settings.verifiers, faceRecognition: { type } } as const
      const settings = { ...read.value.settings, verifiers }
      expect(await sessions.replace(read, { ...read.value, settings })).toBe(true)
      const back = await actVisit(host, page, other)
      const query = { verificationSessionId: sessionId }
      expect(await host.call(getSessionResult, { query })).toMatchObject({ verificationResult: 'Pass' })
      const answer = answerOf((await browser.follow(back, host.origin)).address)
      expect(answer).toMatchObject({ error: 'access_denied' })
      expect(answer).not.toHaveProperty('code')
    },
  )
})

test('two browsers that return from a visit at once both pass, and the code can be redeemed', async () => {
  const made = await newClient(host)
  const { browser, way, redeem } = await begun(made, {})
  const back = await actVisit(host, (await browser.follow(way, host.origin)).address, person)
  let waiting: (() => void)[] = []
  before.keeping = () =>
    new Promise<void>((go) => {
      waiting.push(go)
      if (waiting.length < 2) return
      for (const one of waiting) one()
      waiting = []
      before.keeping = nothing
    })
  const [one, two] = await Promise.all([browser.fetch(back), browser.fetch(back)])
  expect([one.status, two.status]).toEqual([303, 303])
  const resumed = one.headers.get('Location')!
  expect(two.headers.get('Location')).toBe(resumed)
  const { address } = await browser.follow(resumed, host.origin)
  expect((await redeem(address)).sub).toMatch(/^[\w-]{43}$/)
})

test('a person who is erased while a sign-in ends leaves no name behind', async () => {
  const made = await newClient(host, recognising('MatchVerification'))
  await visit(host, made.verificationId, person, 'reExternalId=eve')
  const { browser, way } = await begun(made, { ...asAda, login_hint: 'eve' })
  const back = await actVisit(host, (await browser.follow(way, host.origin)).address, person)
  const salts = async () => {
    const found: string[] = []
    for await (const { key } of memory.list('openid-subject/')) found.push(key)
    return found
  }
  const kept = await salts()
  let isErased = false
  before.salt = async () => {
    before.salt = nothing
    await host.call(deletePerson, { query: { externalId: 'eve' } })
    isErased = true
  }
  const { address } = await browser.follow(back, host.origin)
  expect(isErased).toBe(true)
  expect(answerOf(address).code).toBeUndefined()
  expect(await salts()).toEqual(kept)
})

test('an expired visit leads back to the site when it is opened again', async () => {
  const made = await newClient(host)
  const { browser, way } = await begun(made, {})
  expect((await browser.follow(way, host.origin)).address).toContain('/verification/session/')
  host.pass(16 * 60_000)
  const { address } = await browser.follow(way, host.origin)
  expect(answerOf(address).error).toBe('access_denied')
})
