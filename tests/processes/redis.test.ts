import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createCollection, getAllCollections } from '#shared/contract/recognition/recognition.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { endOf } from '../support/programs/process-group.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import { launch, type ServerProcess, startProcess } from '../support/programs/server-process.ts'
import { problemOf } from '../support/visit.ts'

const durable = ['--appendonly', 'yes', '--appendfsync', 'always']
const password = 'hidden-word-of-redis'
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-redis-data-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function startOn(redis: RedisServer, env: Record<string, string> = {}) {
  closers.push(redis.stop)
  const settings = {
    STORE: redis.address,
    DATA_DIR: newFolder(),
    DEMO: 'false',
    ROLES: 'security,face-recognition',
  }
  const server = await startProcess({ ...settings, LOG_LEVEL: 'debug', RATE_LIMIT_REQUESTS: '1000', ...env })
  closers.push(() => endOf(server))
  const told: string[] = []
  server.child.stderr!.on('data', (data) => told.push(String(data)))
  return { server, log: () => told.join('') }
}

const ask = (server: ServerProcess, path = '/v1/datetime/utc-now') =>
  fetch(server.origins[0] + path, { headers: { authorization: `ApiKey ${server.apiKey}` } })

async function untilItAnswers(server: ServerProcess): Promise<void> {
  await expect.poll(async () => (await ask(server)).status, { timeout: 20_000 }).toBe(200)
}

describe.skipIf(!hasRedisServer)(`a process whose Redis server${needsRedisServer}`, () => {
  test('dies answers 503 with the time to wait, and goes on when it is back', async () => {
    const redis = await startRedisServer(durable)
    const { server, log } = await startOn(redis)
    await server.call(createCollection, { body: { collectionId: 'kept' } })
    const { token: bearer } = await server.call(getToken, { query: {} })
    await redis.kill()
    // Longer than keys of tokens are known by heart: that they cannot be read is not the token's fault.
    await pause(3500)
    expect(await problemOf(server.call(getUtcNow, { bearer }))).toBe('overloaded')
    for (const path of ['/v1/datetime/utc-now', '/v1/readyz']) {
      const answer = await ask(server, path)
      expect(answer.status).toBe(503)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await ask(server, '/v1/healthz')).status).toBe(200)
    await redis.start()
    await untilItAnswers(server)
    await server.call(getUtcNow, { bearer })
    const { collections } = await server.call(getAllCollections, {})
    expect(collections?.map(({ collectionId }) => collectionId)).toEqual(['kept'])
    expect(log()).toContain('The store failed')
    expect(log()).not.toContain(server.apiKey)
  }, 60_000)

  test('hangs answers 503 after some seconds, and goes on when it is back', async () => {
    const redis = await startRedisServer(durable)
    const { server } = await startOn(redis)
    await server.call(getUtcNow, {})
    redis.suspend()
    expect((await ask(server)).status).toBe(503)
    redis.resume()
    await untilItAnswers(server)
  }, 60_000)
})

describe.skipIf(!hasRedisServer)(`a Redis server that asks for a password${needsRedisServer}`, () => {
  test.each([
    ['of its own', ['--requirepass', password], `:${password}`],
    [
      'of a user',
      ['--user', 'selfsame', 'on', `>${password}`, '~{selfsame:*}:*', '+@all'],
      `selfsame:${password}`,
    ],
  ])(
    '%s is given it, and it stands in no log, also after the server was away',
    async (_name, settings, credentials) => {
      const redis = await startRedisServer([...durable, ...settings], { credentials })
      const { server, log } = await startOn(redis)
      await server.call(getUtcNow, {})
      await redis.kill()
      expect((await ask(server)).status).toBe(503)
      await redis.start()
      await untilItAnswers(server)
      expect(log()).not.toContain(password)
      expect(server.lines.join('\n')).not.toContain(password)
    },
    60_000,
  )

  test('and is given another one is told so at the start, without either', async () => {
    const redis = await startRedisServer(['--requirepass', password], { credentials: `:${password}` })
    closers.push(redis.stop)
    const address = redis.address.replace(password, 'another-word')
    const child = launch({ STORE: address, DATA_DIR: newFolder(), DEMO: 'false' })
    const told = await text(child.stderr!)
    expect(told).toContain(
      'Selfsame did not start. The Redis server that STORE names cannot be reached: WRONGPASS',
    )
    expect(told).not.toContain('another-word')
  }, 60_000)
})

describe.skipIf(!hasRedisServer || !hasOpenssl)(`a Redis server that speaks TLS${needsRedisServer}`, () => {
  function newCertificate() {
    const folder = newFolder()
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const name = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1']
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      ...curve,
      ...name,
      '-keyout',
      key,
      '-out',
      certificate,
    ])
    expect(made.status).toBe(0)
    const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
    return { certificate, settings: [...durable, ...tls, '--tls-auth-clients', 'no'] }
  }

  test('is reached where its certificate is trusted, and nowhere else', async () => {
    const { certificate, settings } = newCertificate()
    const redis = await startRedisServer(settings, { tls: true })
    const { server } = await startOn(redis, { NODE_EXTRA_CA_CERTS: certificate })
    await server.call(getUtcNow, {})
    const child = launch({ STORE: redis.address, DATA_DIR: newFolder(), DEMO: 'false' })
    expect(await text(child.stderr!)).toMatch(
      /did not start\. The Redis server .* cannot be reached: .*certificate/,
    )
  }, 60_000)
})
