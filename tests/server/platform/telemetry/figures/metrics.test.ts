import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { embeddingModel } from '#models/rules/embedding.ts'
import { measured } from '#server/app/figures/measured-analysis.ts'
import { measuredSearches } from '#server/app/figures/measured-searches.ts'
import type { AnalysisService } from '#server/features/analysis/analysis-service.ts'
import { closestByModel } from '#server/features/recognition/index/gallery.ts'
import { createMemoryGallery } from '#server/features/recognition/index/memory/memory-gallery.ts'
import type { LocalGallery } from '#server/features/recognition/recognition.ts'
import { createByteBudget } from '#server/platform/running/byte-budget.ts'
import { type AnalysisOutcome, createMetrics } from '#server/platform/telemetry/figures/metrics.ts'
import { submitStep } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { hasPromtool, needsPromtool } from '../../../../ops/promtool.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import { quietSources } from '../../../../support/quiet-sources.ts'
import { act, newVerification, openSession, resultOf, step, submit } from '../../../../support/visit.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function start(options: Parameters<typeof startHost>[0] = {}): Promise<Host> {
  const host = await startHost(options)
  closers.push(host.close)
  return host
}

async function figuresOf(host: Host): Promise<string> {
  const headers = { authorization: `ApiKey ${host.apiKey}` }
  return (await host.fetch('/metrics', { headers })).text()
}

test.skipIf(!hasPromtool)(`every metric passes promtool${needsPromtool}`, async () => {
  const text = await figuresOf(await start())
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([0, '', ''])
})

describe('GET /metrics', () => {
  test('is for administrators', async () => {
    const host = await start()
    const { apiKey: lesser } = await host.services.accounts.keys.create(host.accountId, 'a', [
      'configure',
      'analyse',
      'tokens',
    ])
    const ask = async (authorization?: string) =>
      (await host.fetch('/metrics', authorization === undefined ? {} : { headers: { authorization } })).status
    expect(await ask()).toBe(401)
    expect(await ask('ApiKey wrong')).toBe(401)
    expect(await ask('Bearer undefined')).toBe(401)
    expect(await ask(`ApiKey ${lesser}`)).toBe(403)
    expect(await ask(`ApiKey ${host.apiKey}`)).toBe(200)
  })

  test('is for a collector with the configured token', async () => {
    const token = 'a-token-of-the-settings'
    const page = { contentType: 'text/plain', render: async () => 'figures', token }
    const host = await start({ site: { metrics: page } })
    const ask = (authorization: string) => host.fetch('/metrics', { headers: { authorization } })
    expect(await (await ask(`Bearer ${token}`)).text()).toBe('figures')
    expect((await ask(`Bearer ${token}x`)).status).toBe(401)
    expect((await ask(`ApiKey ${token}`)).status).toBe(401)
  })

  test('counts requests by their route, never by their path', async () => {
    const host = await start()
    for (const path of ['/v1/healthz', '/v1/healthz', '/v1/token/get', '/one', '/two', '/verification/x']) {
      await (await host.fetch(path)).arrayBuffer()
    }
    const figures = await figuresOf(host)
    const count = 'selfsame_http_request_duration_seconds_count'
    expect(figures).toContain(
      `${count}{method="GET",route="/v1/healthz",status="200",role="configuration"} 2`,
    )
    expect(figures).toContain(`${count}{method="GET",route="/v1/token/get",status="401",role="security"} 1`)
    expect(figures).toContain(`${count}{method="GET",route="none",status="404",role="none"} 2`)
    expect(figures).not.toMatch(/\/one|\/verification\/x/)
    expect(figures).toContain('process_cpu_seconds_total')
    expect(figures).toContain('selfsame_analysis_queue_length 0')
  })

  test('counts sessions by their result, and attempts of webhooks', async () => {
    const receiver = await startReceiver([500, 200])
    closers.push(receiver.close)
    const host = await start()
    const hook = { webhookConfig: { eventCallbackUrl: receiver.address } }
    await submit(host, await openSession(host, await newVerification(host, hook)), { person: 'anna' })
    await host.services.deliveries.settle()
    await submit(host, await openSession(host, await newVerification(host)), { person: null })
    const figures = await figuresOf(host)
    expect(figures).toContain('selfsame_sessions_total{result="Pass",alternative="no"} 1')
    expect(figures).toContain('selfsame_sessions_total{result="Fail",alternative="no"} 1')
    expect(figures).toContain('selfsame_webhook_attempts_total{outcome="refused"} 1')
    expect(figures).toContain('selfsame_webhook_attempts_total{outcome="taken"} 1')
  })

  test('counts separately the sessions in which another action was requested', async () => {
    const host = await start()
    const verifierConfigs = {
      liveness: { type: 'Verification', challengeType: 'Balanced', allowAlternative: true },
    } as const
    const opened = await openSession(host, await newVerification(host, { verifierConfigs }))
    const anna = { person: 'anna' }
    await step(host, opened, 0, anna)
    const { next } = await host.call(submitStep, {
      bearer: opened.bearer,
      body: { step: 1, frames: [], request: 'otherAction' },
    })
    await act(host, opened, next!, anna)
    await submit(host, opened)
    expect((await resultOf(host, opened)).alternativeAction).toBe(next!.action)
    const figures = await figuresOf(host)
    expect(figures).toContain('selfsame_sessions_total{result="Pass",alternative="yes"} 1')
    expect(figures).not.toContain('alternative="no"')
  })

  test('counts findings against live people and the outcome of each action, by words without personal data', async () => {
    const { tally, render } = createMetrics(quietSources)
    const cues = [{ name: 'cuts', answer: 'held' }]
    const ended = { alternative: false, cues }
    tally.sessionEnded({
      ...ended,
      result: 'Fail',
      findings: ['passiveScoreLow', 'movedAfter'],
      steps: ['late', 'notPerformed'],
    })
    tally.sessionEnded({ ...ended, result: 'Fail', findings: ['movedAfter'], steps: [] })
    tally.sessionEnded({ ...ended, result: 'Pass', findings: [], steps: ['late', 'performed'] })
    const figures = await render()
    expect(figures).toContain('selfsame_session_findings_total{finding="passiveScoreLow"} 1')
    expect(figures).toContain('selfsame_session_findings_total{finding="movedAfter"} 2')
    expect(figures).toContain('selfsame_session_cues_total{cue="cuts",answer="held"} 3')
    expect(figures).toContain('selfsame_session_steps_total{reason="late"} 2')
    expect(figures).toContain('selfsame_session_steps_total{reason="notPerformed"} 1')
  })
})

describe('analyses', () => {
  const request = { accountId: 'a', signal: new AbortController().signal }
  const picture = new Uint8Array()

  const outcomes: readonly (readonly [AnalysisOutcome, AnalysisService['analyse']])[] = [
    ['done', async () => ({}) as never],
    ['rejected', () => Promise.reject(new Problem('overloaded', 'busy'))],
    ['failed', () => Promise.reject(new Problem('unreadable_image', 'broken'))],
  ]
  test.each(outcomes)('are reported as %s', async (expected, analyse) => {
    const told: AnalysisOutcome[] = []
    const service = measured({ parallel: 1, analyse, close: async () => {} }, (outcome) => told.push(outcome))
    const work = service.analyse(picture, {}, request)
    expect(service.underWay()).toBe(1)
    await work.catch(() => undefined)
    expect(service.underWay()).toBe(0)
    expect(told).toEqual([expected])
  })

  test('wait as soon as there are more of them than places', async () => {
    const never: AnalysisService['analyse'] = () => new Promise(() => {})
    const service = measured({ parallel: 2, analyse: never, close: async () => {} }, () => {})
    const metrics = createMetrics({
      ...quietSources,
      analysesUnderWay: service.underWay,
      parallelAnalyses: () => service.parallel,
      storeBytes: async () => 4096,
    })
    for (let i = 0; i < 5; i++) void service.analyse(picture, {}, request)
    const figures = await metrics.render()
    expect(figures).toContain('selfsame_analysis_queue_length 3')
    expect(figures).toContain('selfsame_analyses_under_way 2')
    expect(figures).toContain('selfsame_store_bytes 4096')
  })
})

describe('bounds', () => {
  const linesOf = async (metrics: ReturnType<typeof createMetrics>, name: string) =>
    (await metrics.render()).split('\n').filter((line) => line.startsWith(name))

  test('are reported next to those in progress', async () => {
    const budget = createByteBudget(1000)
    budget.open([]).take(400)
    expect(() => budget.open([]).expect(601)).toThrow()
    const metrics = createMetrics({ ...quietSources, bytes: budget })
    expect(await linesOf(metrics, 'selfsame_bytes_')).toEqual([
      'selfsame_bytes_under_way 400',
      'selfsame_bytes_under_way_limit 1000',
      'selfsame_bytes_refused_total 1',
    ])
    expect(await linesOf(metrics, 'selfsame_analysis_queue_limit')).toEqual([
      'selfsame_analysis_queue_limit 64',
    ])
  })

  test.each([
    [undefined, 0, '1'],
    ['File too large', 3, '0'],
  ])('show whether the store accepts writes: %s', async (trouble, failures, expected) => {
    const writes = { trouble: () => trouble, failures: () => failures }
    const metrics = createMetrics({ ...quietSources, writes })
    expect(await linesOf(metrics, 'selfsame_store_takes_writes')).toEqual([
      `selfsame_store_takes_writes ${expected}`,
    ])
    const lines = await linesOf(metrics, 'selfsame_store_write_failures_total')
    expect(lines).toEqual([`selfsame_store_write_failures_total ${failures}`])
  })

  test('report the clock’s deviation, if it is known', async () => {
    const drifting = createMetrics({ ...quietSources, clockDriftInSeconds: () => -1.5 })
    expect(await linesOf(drifting, 'selfsame_clock_drift')).toEqual(['selfsame_clock_drift_seconds -1.5'])
    const alone = createMetrics(quietSources)
    expect(await linesOf(alone, 'selfsame_clock_drift')).toEqual(['selfsame_clock_drift_seconds Nan'])
  })
})

test('the timings of store and searches, and the runtime, are reported', async () => {
  const metrics = createMetrics(quietSources)
  metrics.storeTook('commit', 0.004)
  metrics.searched(1000, 0.002)
  metrics.searched(500, 0.001)
  metrics.tally.webhookLost()
  const figures = await metrics.render()
  expect(figures).toContain('selfsame_store_duration_seconds_count{operation="commit"} 1')
  expect(figures).toContain('selfsame_search_duration_seconds_count 2')
  expect(figures).toContain('selfsame_searched_faces_total 1500')
  expect(figures).toContain('selfsame_webhooks_lost_total 1')
  expect(figures).toMatch(
    /selfsame_build_info{version="\d+\.\d+\.\d+",format="\d+",node="v\d+.*",pack="standard"} 1/,
  )
})

test('a search is reported with the number of compared faces', async () => {
  const told: number[] = []
  const index = measuredSearches(createMemoryGallery, (faces) => void told.push(faces))(embeddingModel)
  const embedding = Float32Array.from({ length: 512 }, (_, i) => (i === 0 ? 1 : 0))
  for (const faceId of ['a', 'b']) index.add({ faceId, externalId: null, embeddingModel, embedding })
  expect((await closestByModel(index, embeddingModel, embedding, 80))?.score).toBeGreaterThan(99)
  expect(await index.nearest(embedding, 0.5, 5)).toHaveLength(2)
  expect([told, index.size]).toEqual([[2, 2], 2])
})

test('an observed index accepts records as fast as before: opening each on the event loop takes four times as long', () => {
  const taken: number[] = []
  const takes = (): LocalGallery => ({
    ...createMemoryGallery(),
    records: {
      add: ({ ends }) => taken.push(ends.length) > 0,
      takeRefused: () => [Uint8Array.of(1)],
    },
    hasRoomFor: (count) => count < 3,
  })
  const index = measuredSearches(takes, () => undefined)(embeddingModel)
  expect(
    index.records?.add({ bytes: new Uint8Array(4), ends: Uint32Array.of(2, 4) }, new Uint8Array(32)),
  ).toBe(true)
  expect(taken).toEqual([2])
  expect(index.records?.takeRefused()).toEqual([Uint8Array.of(1)])
  expect([2, 3].map((count) => index.hasRoomFor?.(count))).toEqual([true, false])
})
