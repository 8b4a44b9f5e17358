import '../../../../../long-alone.ts'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, troublesOf } from '#server/platform/store/open-store.ts'
import {
  giveToServer,
  hasPostgresServer,
  needsPostgresServer,
  newFolder,
  type PostgresServer,
  startPostgresServer,
} from '../../../../../support/programs/postgres-server.ts'

const mount = mkdtempSync(join(tmpdir(), 'selfsame-postgres-disk-'))
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=120m', 'tmpfs', mount]).status === 0
const needsMount = mounted ? '' : ' (needs the right to mount, which is missing)'
afterAll(() => {
  if (mounted) spawnSync('umount', ['--lazy', mount])
  rmSync(mount, { recursive: true, force: true })
})

describe.skipIf(!hasPostgresServer || !mounted)(
  `a PostgreSQL server whose disk is full${needsPostgresServer}${needsMount}`,
  () => {
    const ballast = join(mount, 'ballast')
    const log = newFolder()
    let server: PostgresServer
    beforeAll(async () => {
      const folder = join(mount, 'data')
      mkdirSync(folder, { mode: 0o700 })
      giveToServer(folder)
      // A server without room for its log exits on its own, which simulates one that goes away.
      server = await startPostgresServer({ folder, initdb: ['--waldir', join(log, 'wal')] })
    })
    afterAll(async () => {
      await server?.stop()
      rmSync(log, { recursive: true, force: true })
    })

    test('refuses writes with 503 and the reason, answers reads, loses nothing, and recovers when there is room', async () => {
      const failures: unknown[] = []
      const settings = { dataDir: '', storeAddress: server.address, region: 'EU' } as const
      const opened = await openStore(settings, (error) => failures.push(error))
      const { store } = opened
      const acknowledged: string[] = []
      const { bavail, bsize } = statfsSync(mount)
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 3_000_000)))
      const fill = async () => {
        for (let i = 0; i < 200; i++) {
          await store.put(`fill ${i}`, Buffer.alloc(100_000, i))
          acknowledged.push(`fill ${i}`)
        }
      }
      await expect(fill()).rejects.toMatchObject({
        code: 'store_read_only',
        status: 503,
        retryAfterInSeconds: 5,
      })
      expect(troublesOf(opened)).toEqual(['The store refuses writes: the disk of PostgreSQL is full.'])
      expect(String(failures)).toContain('the disk of PostgreSQL is full')
      expect((await opened.rateCounter.add('somebody', 60)).count).toBeGreaterThan(0)
      expect((await opened.rateCounter.peek('somebody', 60)).count).toBeGreaterThan(0)
      for (const [i, key] of acknowledged.entries()) expect((await store.get(key))?.[0]).toBe(i % 256)
      rmSync(ballast)
      await expect.poll(() => troublesOf(opened), { timeout: 20_000 }).toEqual([])
      await store.put('afterwards', Uint8Array.of(1))
      expect(acknowledged.length).toBeGreaterThan(3)
      for (const key of acknowledged) expect(await store.get(key)).toBeDefined()
      await store.close()
    })
  },
)
