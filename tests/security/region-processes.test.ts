import '../long-alone.ts'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateWebhookSecret } from '#shared/contract/account/account.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { initRedirectSession, submitSession } from '#shared/contract/sessions/session.ts'
import { createSession } from '#shared/contract/sessions/session-creation.ts'
import { endOf } from '../support/programs/process-group.ts'
import { startReceiver } from '../support/programs/receiver.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { launch, type ServerProcess, startProcess, stillLoading } from '../support/programs/server-process.ts'
import { consent, problemOf } from '../support/visit.ts'

const root = mkdtempSync(join(tmpdir(), 'selfsame-regions-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Everything that two regions can have in common is the same. */
const settingsOf = (region: string, folder: string): Record<string, string> => ({
  REGION: region,
  DATA_DIR: join(root, folder),
  SECRET: 'a secret of thirty-two characters',
  SECURITY_URL: 'http://127.0.0.1:1',
  DEMO: 'false',
  ...stillLoading,
})

const declined = { frames: [], consent: { ...consent, given: false } }

describe.each([
  ['with stores of their own', false],
  ['that share a Redis server', true],
])('two regions %s', (_name, sharesServer) => {
  const isMissing = sharesServer && !hasRedisServer
  const needs = isMissing ? needsRedisServer : ''
  let redis: RedisServer | undefined
  let regions: [ServerProcess, ServerProcess]
  beforeAll(async () => {
    if (isMissing) return
    if (sharesServer) redis = await startRedisServer()
    const store: Record<string, string> = redis === undefined ? {} : { STORE: redis.address }
    const start = (region: string) =>
      startProcess({ ...settingsOf(region, `${region} ${sharesServer}`), ...store })
    regions = [await start('EU'), await start('US')]
  })
  afterAll(async () => {
    await Promise.all((regions ?? []).map(endOf))
    await redis?.stop()
  })

  describe.each([
    ['the EU', 'the US', 0],
    ['the US', 'the EU', 1],
  ])(`of %s, in %s${needs}`, (_own, _other, index) => {
    const pair = () => [regions[index]!, regions[1 - index]!] as const

    test.skipIf(isMissing)('a key is refused', async () => {
      const [own, other] = pair()
      await own.call(getUtcNow, {})
      expect(await problemOf(other.call(getUtcNow, { apiKey: own.apiKey }))).toBe('unauthenticated')
    })

    test.skipIf(isMissing)('a token is refused', async () => {
      const [own, other] = pair()
      const { token: bearer } = await own.call(getToken, { query: {} })
      await own.call(getUtcNow, { bearer })
      expect(await problemOf(other.call(getUtcNow, { bearer }))).toBe('unauthenticated')
    })

    test.skipIf(isMissing)('a session token is refused', async () => {
      const [own, other] = pair()
      const body = { verifierConfigs: { age: { type: 'CalculationOnly' as const } } }
      const { sessionToken: bearer } = await own.call(createSession, { body })
      expect(await problemOf(other.call(submitSession, { bearer, body: declined }))).toBe('unauthenticated')
      await own.call(submitSession, { bearer, body: declined })
    })

    test.skipIf(isMissing)('a signature is not valid, and a link opens nothing', async () => {
      const [own, other] = pair()
      const { signedQueryString: queryString } = await own.call(createSignature, {
        body: { queryString: 'a=1' },
      })
      expect(await own.call(validateSignature, { body: { queryString } })).toMatchObject({ result: 'Valid' })
      expect(await other.call(validateSignature, { body: { queryString } })).toEqual({ result: 'Invalid' })
      const name = `a link of ${index}`
      const make = (region: ServerProcess) => region.call(createVerification, { body: { name } })
      const [{ verificationId: ownId }, { verificationId: otherId }] = [await make(own), await make(other)]
      const open = (verificationId: string) =>
        problemOf(other.call(initRedirectSession, { body: { verificationId, queryString } }))
      expect(await open(ownId)).toBe('not_found')
      expect(await open(otherId)).toBe('signature_invalid')
    })

    test.skipIf(isMissing)('a webhook is signed with another secret', async () => {
      const [own, other] = pair()
      const secretOf = async (region: ServerProcess) => {
        const { webhookSecret } = await region.call(rotateWebhookSecret, { body: { immediately: true } })
        return Buffer.from(webhookSecret.replace('whsec_', ''), 'base64')
      }
      const [ownSecret, otherSecret] = [await secretOf(own), await secretOf(other)]
      const receiver = await startReceiver()
      const verificationConfig = { webhookConfig: { eventCallbackUrl: receiver.address } }
      const { verificationId } = await own.call(createVerification, {
        body: { name: receiver.address, verificationConfig },
      })
      const { sessionToken: bearer } = await own.call(createSession, { body: { verificationId } })
      await own.call(submitSession, { bearer, body: declined })
      await expect.poll(() => receiver.received.length).toBe(1)
      receiver.close()
      const { headers, body } = receiver.received[0]!
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const signatureBy = (secret: Buffer) =>
        `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
      expect(headers['webhook-signature']).toBe(signatureBy(ownSecret))
      expect(headers['webhook-signature']).not.toBe(signatureBy(otherSecret))
    })
  })
})

test('a store of one region does not start in another one, even next to the first', async () => {
  const first = await startProcess(settingsOf('EU', 'one store'))
  const second = launch(settingsOf('US', 'one store'))
  const [told, [code]] = await Promise.all([text(second.stderr!), once(second, 'exit')])
  expect(code).toBe(1)
  expect(told).toContain('Selfsame did not start. This store belongs to the region EU, not US')
  expect((await fetch(`${first.origins[0]}/v1/healthz`)).status).toBe(200)
  await first.stop('SIGKILL')
})
