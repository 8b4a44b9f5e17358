import '../../../../long-alone.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getKeys } from '#shared/contract/account/account.ts'
import { createSignature, validateSignature } from '#shared/contract/configuration/signature.ts'
import { createCollection, getAllCollections } from '#shared/contract/recognition/recognition.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../../../../support/programs/redis-server.ts'
import {
  launch,
  type ServerProcess,
  startProcess,
  stillLoading,
} from '../../../../support/programs/server-process.ts'

describe.skipIf(!hasRedisServer)(`two processes on one Redis server${needsRedisServer}`, () => {
  const secret = 'a secret of thirty-two characters'
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'selfsame-redis-data-')))
  let redis: RedisServer
  let one: ServerProcess
  let other: ServerProcess

  const settings = (folder: string) => ({
    ...stillLoading,
    STORE: redis.address,
    SECRET: secret,
    DATA_DIR: folder,
    SECURITY_URL: 'http://127.0.0.1:1',
    DEMO: 'false',
  })

  beforeAll(async () => {
    redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
    one = await startProcess(settings(folders[0]!))
    other = await startProcess(settings(folders[1]!))
  })
  afterAll(async () => {
    await Promise.all([one?.stop('SIGKILL'), other?.stop('SIGKILL')])
    await redis?.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  test('are one deployment: the second finds the account of the first', async () => {
    expect(other.apiKey).toBe('printed at the first start')
    const { keys } = await other.call(getKeys, { apiKey: one.apiKey })
    expect(keys.map(({ name }) => name).toSorted()).toEqual(['First key', 'Webhooks'])
  })

  test('accept each other’s tokens', async () => {
    const { token } = await one.call(getToken, { query: {} })
    await other.call(getUtcNow, { bearer: token })
  })

  test('accept each other’s signatures', async () => {
    const { signedQueryString } = await one.call(createSignature, {
      body: { queryString: 'a=1', securitySettings: { expirationInSeconds: 60, enableNonce: true } },
    })
    const body = { queryString: signedQueryString }
    const answer = await other.call(validateSignature, { body, apiKey: one.apiKey })
    expect(answer).toMatchObject({ result: 'Valid' })
  })

  test('see each other’s records', async () => {
    await one.call(createCollection, { body: { collectionId: 'shared' } })
    const { collections } = await other.call(getAllCollections, { apiKey: one.apiKey })
    expect(collections?.map(({ collectionId }) => collectionId)).toContain('shared')
  })
})

describe.skipIf(!hasRedisServer)(`a start on a Redis server${needsRedisServer}`, () => {
  test('warns if Redis may lose what it acknowledged', async () => {
    const redis = await startRedisServer(['--maxmemory-policy', 'allkeys-lru'])
    const folder = mkdtempSync(join(tmpdir(), 'selfsame-redis-data-'))
    const child = launch({ STORE: redis.address, DATA_DIR: folder, DEMO: 'false' })
    const warnings: string[] = []
    for await (const line of createInterface({ input: child.stderr! })) {
      warnings.push(line)
      if (warnings.length === 2) break
    }
    expect(warnings.join('\n')).toMatch(/store_may_lose.*\n.*store_evicts/)
    child.kill('SIGKILL')
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('does not warn if Redis keeps every write, and fills up without dropping any', async () => {
    const redis = await startRedisServer(['--appendonly', 'yes', '--appendfsync', 'always'])
    const folder = mkdtempSync(join(tmpdir(), 'selfsame-redis-data-'))
    const server = await startProcess({ STORE: redis.address, DATA_DIR: folder, DEMO: 'false' })
    let said = ''
    server.child.stderr!.on('data', (part) => (said += part))
    await server.ready()
    expect(said).not.toContain('store_')
    await server.stop('SIGKILL')
    await redis.stop()
    rmSync(folder, { recursive: true, force: true })
  })
})

test('a missing Redis server stops the start with a line without a password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-redis-data-'))
  const child = launch({ STORE: 'redis://:hidden-word@127.0.0.1:1', DATA_DIR: folder })
  let told = ''
  for await (const line of createInterface({ input: child.stderr! })) told += line
  expect(told).toContain('Selfsame did not start. The Redis server in STORE cannot be reached')
  expect(told).not.toContain('hidden-word')
  rmSync(folder, { recursive: true, force: true })
})
