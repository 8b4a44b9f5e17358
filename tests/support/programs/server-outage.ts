import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { createCollection, getAllCollections } from '#shared/contract/recognition/recognition.ts'
import { getToken, getUtcNow } from '#shared/contract/security/security.ts'
import { problemOf } from '../visit.ts'
import { endOf } from './process-group.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

/** A product process that uses the store's server, and its log. */
export interface Started {
  readonly server: ServerProcess
  log(): string
}

/** Starts processes on a store's server in separate folders. `closeAll` ends everything that was started or added. */
export function createStarts(prefix: string) {
  const closers: (() => unknown)[] = []

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), prefix))
    closers.push(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  return {
    closers,
    newFolder,
    async startOn(STORE: string, env: Record<string, string> = {}): Promise<Started> {
      const settings = { STORE, DATA_DIR: newFolder(), DEMO: 'false', ROLES: 'security,face-recognition' }
      const server = await startProcess({
        ...settings,
        LOG_LEVEL: 'debug',
        RATE_LIMIT_REQUESTS: '1000',
        ...env,
      })
      closers.push(() => endOf(server))
      const written: string[] = []
      server.child.stderr!.on('data', (data) => written.push(String(data)))
      return { server, log: () => written.join('') }
    },
    async closeAll(): Promise<void> {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}

/** Calls a path with the account's key. */
export function ask(server: ServerProcess, path = '/v1/datetime/utc-now'): Promise<Response> {
  return fetch(server.origins[0] + path, { headers: { authorization: `ApiKey ${server.apiKey}` } })
}

export async function untilItAnswers(server: ServerProcess): Promise<void> {
  await expect.poll(async () => (await ask(server)).status, { timeout: 20_000 }).toBe(200)
}

/**
 * If a server dies, calls get a 503 that says how long to wait, except for health. When it is back, everything continues and
 * nothing has been lost.
 */
export async function expectRecovery(
  { server, log }: Started,
  store: { kill(): Promise<unknown>; start(): Promise<unknown> },
): Promise<void> {
  await server.call(createCollection, { body: { collectionId: 'kept' } })
  const { token: bearer } = await server.call(getToken, { query: {} })
  await store.kill()
  // Longer than token keys are cached. If the keys cannot be read, that is not the token's fault.
  await pause(3500)
  expect(await problemOf(server.call(getUtcNow, { bearer }))).toBe('store_unavailable')
  for (const path of ['/v1/datetime/utc-now', '/v1/readyz']) {
    const answer = await ask(server, path)
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect((await ask(server, '/v1/healthz')).status).toBe(200)
  await store.start()
  await untilItAnswers(server)
  await server.call(getUtcNow, { bearer })
  const { collections } = await server.call(getAllCollections, {})
  expect(collections?.map(({ collectionId }) => collectionId)).toEqual(['kept'])
  expect(log()).toContain('The store failed')
  expect(log()).not.toContain(server.apiKey)
}

/** If a server hangs, calls get a 503 after a few seconds. */
export async function expectTimeOut(
  server: ServerProcess,
  store: { suspend(): void; resume(): void },
): Promise<void> {
  await server.call(getUtcNow, {})
  store.suspend()
  expect((await ask(server)).status).toBe(503)
  store.resume()
  await untilItAnswers(server)
}
