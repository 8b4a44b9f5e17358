import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disksOf } from '#server/app/figures/disk.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import { createMetrics } from '#server/platform/telemetry/figures/metrics.ts'
import {
  hasRedisServer,
  needsRedisServer,
  startRedisServer,
} from '../../../../support/programs/redis-server.ts'
import { quietSources } from '../../../../support/quiet-sources.ts'

test('an unreadable value is NaN, and does not hide other figures', async () => {
  const away = () => Promise.reject(new Error('Socket closed unexpectedly'))
  const sources = {
    ...quietSources,
    storeBytes: away,
    storeMostBytes: away,
    ready: away,
    disks: { data: away },
  }
  const page = await createMetrics(sources).render()
  expect(page).toContain('selfsame_store_bytes Nan')
  expect(page).toContain('selfsame_ready 0')
  expect(page).toContain('selfsame_store_takes_writes 1')
  expect(page).not.toContain('selfsame_disk_free_bytes{')
  expect(page).toContain('process_cpu_seconds_total')
})

test('the disks are those of the data folder and of the journal, as the system reports them', async () => {
  const journalFile = join(tmpdir(), 'journal')
  const disks = disksOf({ dataDir: '/', upkeep: { journalFile } as never })
  expect(Object.keys(disks)).toEqual(['data', 'journal'])
  const { bsize, blocks } = statfsSync('/')
  const { free, size } = await disks.data!()
  expect(size).toBe(bsize * blocks)
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThan(size)
  expect(Object.keys(disksOf({ dataDir: '/', upkeep: { journalFile: undefined } as never }))).toEqual([
    'data',
  ])
  const page = await createMetrics({ ...quietSources, disks }).render()
  expect(page).toMatch(/^selfsame_disk_free_bytes\{for="journal"\} \d/m)
  expect(page).toMatch(/^selfsame_disk_size_bytes\{for="data"\} \d/m)
})

test('memory is reported without mapped files', async () => {
  const page = await createMetrics(quietSources).render()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)![1])
  expect(figure('selfsame_memory_bytes')).toBeGreaterThan(10e6)
  expect(figure('selfsame_memory_bytes')).toBeLessThan(figure('process_resident_memory_bytes'))
})

test('failures are counted and codes of warnings are shown, whatever the log writes', async () => {
  const metrics = createMetrics(quietSources)
  expect(await metrics.render()).toContain('selfsame_failures_total 0')
  metrics.onFailure()
  metrics.onFailure()
  metrics.onWarning('store_evicts')
  const page = await metrics.render()
  expect(page).toContain('selfsame_failures_total 2')
  expect(page).toContain('selfsame_warning{code="store_evicts"} 1')
})

test.skipIf(!hasRedisServer)(
  `a Redis server reports its memory limit, if it has one${needsRedisServer}`,
  async () => {
    for (const [settings, most] of [
      [['--maxmemory', '64mb'], 64 * 1024 * 1024],
      [[], undefined],
    ] as const) {
      const server = await startRedisServer(settings)
      const store = await openRedisStore(server.address, { tag: 'EU', onFailure: () => undefined })
      expect(await store.server.mostBytes()).toBe(most)
      expect(await store.server.bytes()).toBeGreaterThan(100_000)
      await store.close()
      await server.stop()
    }
  },
)
