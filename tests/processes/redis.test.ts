import '../long-alone.ts'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { getUtcNow } from '#shared/contract/security/security.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../support/programs/redis-server.ts'
import {
  ask,
  createStarts,
  expectRecovery,
  expectTimeOut,
  type Started,
  untilItAnswers,
} from '../support/programs/server-outage.ts'
import { launch, stillLoading } from '../support/programs/server-process.ts'

const durable = ['--appendonly', 'yes', '--appendfsync', 'always']
const password = 'hidden-word-of-redis'
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

const { closers, newFolder, startOn, closeAll } = createStarts('selfsame-redis-data-')
afterEach(closeAll)

/** Uses a server that ends with the test. */
function startOnRedis(redis: RedisServer, env: Record<string, string> = {}): Promise<Started> {
  closers.push(redis.stop)
  return startOn(redis.address, { ...stillLoading, ...env })
}

describe.skipIf(!hasRedisServer)(`a process whose Redis server${needsRedisServer}`, () => {
  test('dies, answers 503 with the time to wait, and recovers when it is back', async () => {
    const redis = await startRedisServer(durable)
    await expectRecovery(await startOnRedis(redis), redis)
  })

  test('hangs, answers 503 after some seconds, and recovers when it is back', async () => {
    const redis = await startRedisServer(durable)
    const { server } = await startOnRedis(redis)
    await expectTimeOut(server, redis)
  })
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
    '%s works, and is in no log, even after the server was away',
    async (_name, settings, credentials) => {
      const redis = await startRedisServer([...durable, ...settings], { credentials })
      const { server, log } = await startOnRedis(redis)
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

  test('is rejected at the start with a message that contains neither, if it is wrong', async () => {
    const redis = await startRedisServer(['--requirepass', password], { credentials: `:${password}` })
    closers.push(redis.stop)
    const address = redis.address.replace(password, 'another-word')
    const child = launch({ STORE: address, DATA_DIR: newFolder(), DEMO: 'false' })
    const told = await text(child.stderr!)
    expect(told).toContain('Selfsame did not start. The Redis server in STORE cannot be reached: WRONGPASS')
    expect(told).not.toContain('another-word')
  })
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

  test('is only reached if its certificate is trusted', async () => {
    const { certificate, settings } = newCertificate()
    const redis = await startRedisServer(settings, { tls: true })
    const { server } = await startOnRedis(redis, { NODE_EXTRA_CA_CERTS: certificate })
    await server.call(getUtcNow, {})
    const child = launch({ STORE: redis.address, DATA_DIR: newFolder(), DEMO: 'false' })
    expect(await text(child.stderr!)).toMatch(
      /did not start\. The Redis server .* cannot be reached: .*certificate/,
    )
  })
})
