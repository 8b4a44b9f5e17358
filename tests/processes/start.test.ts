import '../long-alone.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { endOf } from '../support/programs/process-group.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from '../support/programs/redis-server.ts'
import { startProcess } from '../support/programs/server-process.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Starts three processes at once on a store that was never used. */
async function startThree(env: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-start-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const settings = { DATA_DIR: folder, DEMO: 'false', ROLES: 'security', SECURITY_URL: 'http://127.0.0.1:1' }
  const processes = await Promise.all([0, 1, 2].map(() => startProcess({ ...settings, ...env })))
  closers.push(() => Promise.all(processes.map(endOf)))
  return processes
}

describe('three processes that start at once on an empty store', () => {
  async function areOne(env: Record<string, string>): Promise<void> {
    const processes = await startThree(env)
    const keys = processes
      .map(({ apiKey }) => apiKey)
      .filter((printed) => printed !== 'printed at the first start')
    expect(keys).toHaveLength(1)
    const [apiKey] = keys as [string]
    const tokens = await Promise.all(processes.map((one) => one.call(getToken, { query: {}, apiKey })))
    for (const { token: bearer } of tokens) {
      await Promise.all(processes.map((one) => one.call(getUtcNow, { bearer })))
    }
  }

  test('are one deployment: in a folder, whose secret they share', () => areOne({}), 60_000)

  test.skipIf(!hasRedisServer)(
    `are one deployment: on a Redis server${needsRedisServer}`,
    async () => {
      const redis = await startRedisServer()
      closers.push(redis.stop)
      await areOne({ STORE: redis.address, SECRET: 'a secret of thirty-two characters' })
    },
    60_000,
  )
})
