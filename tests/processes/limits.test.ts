import '../long-alone.ts'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKey, revokeKey } from '#shared/contract/account/account.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { some } from '../../e2e/support/length.ts'
import { type ProcessGroup, startProcessGroup } from '../support/programs/process-group.ts'
import { type StoreServer, storeServers } from '../support/programs/store-server.ts'
import { consent, problemOf } from '../support/visit.ts'

const requests = 60
const logins = 10
const attempts = 4
const limits = {
  RATE_LIMIT_REQUESTS: String(requests),
  RATE_LIMIT_LOGINS: String(logins),
  ATTEMPT_LIMITS: String(attempts),
}
/** How long it may take until every process knows of a call. */
const knownAfterInMilliseconds = 1000

describe.each(some([...storeServers.toReversed(), ['a folder', undefined] as const]))(
  'the limits of three processes on %s',
  (_name, kind) => {
    const { isMissing = false, needs = '' } = kind ?? {}
    let server: StoreServer | undefined
    let group: ProcessGroup
    beforeAll(async () => {
      if (isMissing) return
      server = await kind?.start()
      const store: Record<string, string> = server === undefined ? {} : { STORE: server.address }
      group = await startProcessGroup(3, { ...store, ...limits, ROLES: 'configuration,security' })
    })
    afterAll(async () => {
      await group?.stop()
      await server?.stop()
    })

    const newKey = () =>
      group.call(createKey, { body: { name: 'another', scopes: ['configure', 'analyse'] } })
    const utcNow = (authorization: string) =>
      group.fetch('/v1/datetime/utc-now', { headers: { authorization } })
    const statusesOf = async (authorization: string, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => utcNow(authorization)))
      return answers.map(({ status }) => status)
    }

    test.skipIf(isMissing)(
      `are one limit for a key, and the headers report it everywhere${needs}`,
      async () => {
        const authorization = `ApiKey ${(await newKey()).apiKey}`
        expect(new Set(await statusesOf(authorization, requests / 2))).toEqual(new Set([200]))
        await pause(knownAfterInMilliseconds)
        const half = await utcNow(authorization)
        expect(half.headers.get('ratelimit')).toMatch(new RegExp(`^"requests";r=${requests / 2 - 1};t=5\\d$`))
        expect(half.headers.get('ratelimit-policy')).toBe(`"requests";q=${requests};w=60`)
        expect(new Set(await statusesOf(authorization, requests / 2 - 1))).toEqual(new Set([200]))
        await pause(knownAfterInMilliseconds)
        for (let i = 0; i < group.processes.length; i++) {
          const refused = await utcNow(authorization)
          expect(refused.status).toBe(429)
          expect(Number(refused.headers.get('retry-after'))).toBeLessThan(60)
        }
      },
    )

    if (kind !== undefined) {
      test.skipIf(isMissing)(`let not one call more through, however many come at once${needs}`, async () => {
        const statuses = await statusesOf(`ApiKey ${(await newKey()).apiKey}`, requests * 2)
        expect(statuses.filter((status) => status === 200)).toHaveLength(requests)
      })
    }

    test.skipIf(isMissing)(
      `count the failed sessions of a person together${needs}`,
      async () => {
        const body = { verifierConfigs: { age: { type: 'CalculationOnly' as const } }, externalId: 'anna' }
        const { apiKey } = await newKey()
        const open = (at: number) => group.processes[at % 3]!.call(createSession, { body, apiKey })
        const wall = await sharp({ create: { width: 320, height: 240, channels: 3, background: 'grey' } })
          .jpeg()
          .toBuffer()
        const frames = [{ bytes: wall.toString('base64'), time: 0, challengeStep: 0 }]
        await group.ready()
        for (let i = 0; i < attempts; i++) {
          const { sessionToken: bearer } = await open(i)
          await group.processes[(i + 1) % 3]!.call(submitSession, { bearer, body: { frames, consent } })
        }
        for (let i = 0; i < 3; i++) expect(await problemOf(open(i))).toBe('too_many_requests')
      },
      60_000,
    )

    test.skipIf(isMissing)(
      `accept a token that another process has just made, and no revoked key${needs}`,
      async () => {
        const { apiKey, keyId } = await newKey()
        const [one, two, three] = group.processes
        const { token: bearer } = await one!.call(getToken, { query: {}, apiKey: group.apiKey })
        await Promise.all([two, three].map((process) => process!.call(getUtcNow, { bearer })))
        await two!.call(getUtcNow, { apiKey })
        await one!.call(revokeKey, { query: { keyId }, apiKey: group.apiKey })
        expect(await problemOf(two!.call(getUtcNow, { apiKey }))).toBe('unauthenticated')
        expect(await problemOf(three!.call(getUtcNow, { apiKey }))).toBe('unauthenticated')
      },
    )

    test.skipIf(isMissing)(`count wrong credentials of an address together${needs}`, async () => {
      const guesses: number[] = []
      // The revoked key was tried twice.
      for (let i = 0; i < logins - 3; i++) guesses.push((await utcNow('ApiKey wrong')).status)
      await pause(knownAfterInMilliseconds)
      for (let i = 0; i < 4; i++) {
        guesses.push((await utcNow('ApiKey wrong')).status)
        if (i === 0) await pause(knownAfterInMilliseconds)
      }
      expect(guesses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(logins - 3)
      expect(guesses.slice(-3)).toEqual([429, 429, 429])
    })
  },
)
