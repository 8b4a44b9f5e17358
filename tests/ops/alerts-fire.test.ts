import '../long-alone.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { createReadyz } from '#server/app/readiness.ts'
import { readSettings } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'
import { createClockWatch } from '#server/platform/store/clock-watch.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { openRedisStore } from '#server/platform/store/drivers/redis.ts'
import { createSteadyStore } from '#server/platform/store/steady-store.ts'
import { WriteFailed } from '#server/platform/store/store.ts'
import { createMetrics, type Metrics } from '#server/platform/telemetry/figures/metrics.ts'
import { createLog } from '#server/platform/telemetry/log.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { type Host, startHost } from '../support/host.ts'
import { startReceiver } from '../support/programs/receiver.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from '../support/programs/redis-server.ts'
import { quietSources } from '../support/quiet-sources.ts'
import { astronaut, bytesOf } from '../support/upload.ts'
import { newVerification, openSession, submit } from '../support/visit.ts'
import { alertRules } from './alert-rules.ts'
import { firing, hasPromtool, needsPromtool, type Series, seriesOf } from './promtool.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Sources = Parameters<typeof createMetrics>[0]

/** How to bring about a state, and how long it must last before its alert may fire. */
interface Scene {
  readonly minutes: number
  readonly everyMinutes?: number
  /** The time series of a server in that state, as Prometheus would have scraped them. */
  readonly series: (times: number) => Promise<Series>
}

/** Metrics pages from a single process. `happens` is called before each one is read. */
function figures(sources: Partial<Sources>, happens: (metrics: Metrics, at: number) => unknown = () => {}) {
  return async (times: number): Promise<Series> => {
    const metrics = createMetrics({ ...quietSources, ...sources })
    const pages: string[] = []
    for (let at = 0; at < times; at++) {
      await happens(metrics, at)
      pages.push(await metrics.render())
    }
    return seriesOf(pages)
  }
}

/** Metrics pages from an entire server, scraped the way a collector does. */
function served(start: () => Promise<{ host: Host; happens: () => unknown }>) {
  return async (times: number): Promise<Series> => {
    const { host, happens } = await start()
    closers.push(host.close)
    const headers = { authorization: `ApiKey ${host.apiKey}` }
    const read = async () => (await host.fetch('/metrics', { headers })).text()
    const pages = [await read()]
    while (pages.length < times) {
      await happens()
      pages.push(await read())
    }
    return seriesOf(pages)
  }
}

const answered = (status: number, times: number) => (metrics: Metrics) => {
  for (let i = 0; i < times; i++)
    metrics.observe({ requestId: '', method: 'GET', route: '/', status, durationInMilliseconds: 1, bytes: 0 })
}
const changed = (series: Series, name: string, value: (told: number) => number): Series =>
  new Map(
    [...series].map(([whole, values]) => [
      whole,
      whole.startsWith(`${name}{`) ? values.map((told) => String(value(Number(told)))) : values,
    ]),
  )
const logged = (tell: (log: ReturnType<typeof createLog>) => void) => (metrics: Metrics) =>
  tell(createLog('silent', { write: () => undefined }, metrics))
const ended = { result: 'Fail', alternative: false, findings: [], cues: [], steps: [] } as const
const gigabyte = 1e9

const fullStore = createSteadyStore(
  { ...createMemoryStore(), commit: () => Promise.reject(new WriteFailed('ENOSPC')) },
  { onChange: () => undefined },
)
const budget = createByteBudget(1000)
const fastClock = createClockWatch(async () => Date.now() - 2000, Date.now)

const scenes: Readonly<Record<string, Scene>> = {
  SelfsameDown: {
    minutes: 3,
    series: async (times) => new Map([['up{job="selfsame",instance="one"}', Array(times).fill('0')]]),
  },
  SelfsameNotReady: {
    minutes: 5,
    series: async (times) => {
      const { services, close } = await startHost()
      closers.push(close)
      const readyz = createReadyz({ ...services, store: createMemoryStore(), phase: () => 'starting' })
      const ready = () => readyz({ query: undefined, body: undefined, caller: undefined })
      return figures({ ready })(times)
    },
  },
  SelfsameStoreRefuses: {
    minutes: 3,
    series: figures({ writes: fullStore }, () =>
      fullStore.put('key', new Uint8Array(1)).catch(() => undefined),
    ),
  },
  SelfsameStoreFull: { minutes: 15, series: almostFullRedis },
  SelfsameStoreWaits: {
    minutes: 7,
    series: figures({ storeConnections: () => ({ open: 10, lent: 10, waiting: 3 }) }),
  },
  SelfsameDiskFull: {
    minutes: 12,
    series: figures({ disks: { journal: async () => ({ free: 9 * gigabyte, size: 100 * gigabyte }) } }),
  },
  SelfsameDiskFills: {
    minutes: 7.5 * 60,
    everyMinutes: 3,
    series: (times) => {
      let free = 60 * gigabyte
      const disk = async () => ({ free, size: 100 * gigabyte })
      const write = () => {
        free -= 0.04 * gigabyte
      }
      return figures({ disks: { data: disk } }, write)(times)
    },
  },
  SelfsameClock: {
    minutes: 4,
    series: figures({ clockDriftInSeconds: fastClock.driftInSeconds }, fastClock.check),
  },
  SelfsameAuditRolledBack: {
    minutes: 2,
    series: figures(
      {},
      logged((log) => log.warning('audit_rolled_back', 'rewritten')),
    ),
  },
  SelfsameStoreMayLose: {
    minutes: 2,
    series: figures(
      {},
      logged((log) => {
        const settings = readSettings({ STORE: 'redis://127.0.0.1:6379' })
        for (const { code, meaning } of warningsOf(settings, false)) log.warning(code, meaning)
      }),
    ),
  },
  SelfsameCollectionsUnreadable: { minutes: 7, series: figures({ unreadableCollections: () => 2 }) },
  SelfsameRevocationsStale: { minutes: 7, series: figures({ isRevocationListCurrent: () => false }) },
  SelfsameErrors: {
    minutes: 12,
    series: served(async () => {
      const host = await startHost()
      host.analysis.analyse = () => Promise.reject(new Error('VipsJpeg: out of memory'))
      const ask = () => host.call(detectFaces, { body: { image: bytesOf(astronaut) } }).catch(() => undefined)
      return { host, happens: () => Promise.all(Array.from({ length: 6 }, ask)) }
    }),
  },
  SelfsameEvidenceLost: {
    minutes: 12,
    series: figures({}, ({ tally }) => tally.evidenceLost()),
  },
  SelfsameRecordsUnreadable: {
    minutes: 7,
    series: figures({}, ({ tally }) => tally.recordUnreadable('session')),
  },
  SelfsameFailures: {
    minutes: 12,
    series: figures(
      {},
      logged((log) => log.failure(new Error('ENOSPC'), 'The head of an audit log could not be reported')),
    ),
  },
  SelfsameBusy: {
    minutes: 17,
    series: figures({}, (metrics) => {
      answered(200, 20)(metrics)
      answered(503, 5)(metrics)
    }),
  },
  SelfsameSlow: { minutes: 17, series: figures({}, (metrics) => metrics.analysisEnded('done', 8)) },
  SelfsameQueue: {
    minutes: 7,
    series: figures({ analysesUnderWay: () => 30 }, (m) => m.analysisEnded('done', 1)),
  },
  SelfsameQueueFull: {
    minutes: 5,
    series: figures({ analysesUnderWay: () => 65 }, (metrics) => metrics.analysisEnded('rejected', 0)),
  },
  SelfsameAnalysisStands: { minutes: 12, series: figures({ analysesUnderWay: () => 1 }) },
  SelfsameBytesRefused: {
    minutes: 12,
    series: figures({ bytes: budget }, () => {
      for (let i = 0; i < 5; i++) expect(() => budget.open([]).take(2000)).toThrow()
    }),
  },
  SelfsameWebhooksRefused: { minutes: 35, series: served(async () => visitsTold([500, 500])) },
  SelfsameWebhooksLost: { minutes: 3, series: served(async () => visitsTold([500, 500])) },
  SelfsameLoginsGuessed: { minutes: 17, series: figures({}, answered(401, 400)) },
  SelfsameSessionsFail: {
    minutes: 125,
    series: figures({}, ({ tally }) => tally.sessionEnded(ended)),
  },
  SelfsameStoreGrows: {
    minutes: 12.5 * 60,
    everyMinutes: 3,
    series: (times) => {
      let bytes = 2 * gigabyte
      const write = () => {
        bytes += 0.01 * gigabyte
      }
      return figures({ storeBytes: async () => bytes }, write)(times)
    },
  },
  SelfsameVersionsDiffer: {
    minutes: 65,
    series: async (times) => {
      const page = await createMetrics(quietSources).render()
      const former = page.replace(/(selfsame_build_info\{version=)"[^"]*"/, '$1"0.0.1"')
      return new Map([
        ...seriesOf(Array(times).fill(page), 'one'),
        ...seriesOf(Array(times).fill(former), 'two'),
      ])
    },
  },
  SelfsameMemory: {
    minutes: 17,
    series: async (times) => changed(await figures({})(times), 'selfsame_memory_bytes', () => 1.6 * gigabyte),
  },
  SelfsameEventLoop: {
    minutes: 12,
    series: async (times) => changed(await figures({})(times), 'nodejs_eventloop_lag_p99_seconds', () => 0.8),
  },
}

/** Sessions that end and send webhooks to a receiver that gives these answers. */
async function visitsTold(statuses: number[]) {
  const receiver = await startReceiver(Array.from({ length: 200 }, () => statuses).flat())
  closers.push(receiver.close)
  const host = await startHost()
  const verification = await newVerification(host, { webhookConfig: { eventCallbackUrl: receiver.address } })
  const happens = async () => {
    await submit(host, await openSession(host, verification), { person: null })
    await host.services.deliveries.settle()
  }
  return { host, happens }
}

async function almostFullRedis(times: number): Promise<Series> {
  const server = await startRedisServer(['--maxmemory', '8mb', '--maxmemory-policy', 'noeviction'])
  closers.push(server.stop)
  const store = await openRedisStore(server.address, { tag: 'EU', onFailure: () => undefined })
  closers.push(store.close)
  const left = 0.86 * (await store.server.mostBytes())! - (await store.server.bytes())
  // How much memory Redis uses for a value of 80,000 bytes.
  const values = Math.ceil(left / 81_920)
  for (let i = 0; i < values; i++) await store.put(`key ${i}`, Buffer.alloc(80_000))
  return figures({ storeBytes: store.server.bytes, storeMostBytes: store.server.mostBytes })(times)
}

describe.skipIf(!hasPromtool)(`alerts as Prometheus judges them${needsPromtool}`, () => {
  const needs = (name: string) => name === 'SelfsameStoreFull' && !hasRedisServer
  for (const { name } of alertRules) {
    const words = needs(name) ? needsRedisServer : ''
    test.skipIf(needs(name))(`${name} fires where the product is in its state${words}`, async () => {
      const { minutes, everyMinutes = 1, series } = scenes[name]!
      expect(firing(await series(Math.ceil(minutes / everyMinutes) + 1), everyMinutes)).toContain(name)
    })
  }

  test('no alert fires on a healthy server', async () => {
    const well = figures({}, (metrics) => {
      answered(200, 50)(metrics)
      metrics.analysisEnded('done', 0.1)
      metrics.tally.webhookSent(true)
      metrics.tally.sessionEnded({ ...ended, result: 'Pass' })
    })
    const series = changed(await well(130), 'selfsame_memory_bytes', () => 3e8)
    series.set('up{job="selfsame",instance="one"}', Array(130).fill('1'))
    expect(firing(changed(series, 'nodejs_eventloop_lag_p99_seconds', () => 0.01))).toEqual([])
  })
})

test('every alert has a scene in which it fires', () => {
  expect(Object.keys(scenes).sort()).toEqual(alertRules.map(({ name }) => name).sort())
})
