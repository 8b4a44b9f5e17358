import { afterEach, describe, expect, test } from 'vitest'
import type { AnalysisService } from '#server/analysis/analysis-service.ts'
import { measured } from '#server/operations/measured-analysis.ts'
import { type AnalysisOutcome, createMetrics } from '#server/operations/metrics.ts'
import { submitStep } from '#shared/contract/sessions/session.ts'
import { Problem } from '#shared/problem.ts'
import { type Host, startHost } from '../../support/host.ts'
import { startReceiver } from '../../support/programs/receiver.ts'
import { act, newVerification, openSession, resultOf, step, submit } from '../../support/visit.ts'

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

describe('GET /metrics', () => {
  test('is for administrators', async () => {
    const host = await start()
    const { apiKey: lesser } = await host.services.accounts.createKey(host.accountId, 'a', [
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

  test('is for a collector with the token of the settings', async () => {
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

  test('counts sessions apart in which another action was asked', async () => {
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

  test('counts what spoke against a live person and what came of each action, by words that name nobody', async () => {
    const { tally, render } = createMetrics({
      analysesUnderWay: () => 0,
      parallelAnalyses: () => 1,
      storeBytes: async () => 0,
    })
    const cues = [{ name: 'cuts', answer: 'held' }]
    const ended = { alternative: false, cues, hints: ['virtualCamera'] }
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
    expect(figures).toContain('selfsame_session_hints_total{hint="virtualCamera"} 3')
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
  test.each(outcomes)('are told as %s', async (expected, analyse) => {
    const told: AnalysisOutcome[] = []
    const service = measured({ parallel: 1, analyse, close: async () => {} }, (outcome) => told.push(outcome))
    const work = service.analyse(picture, {}, request)
    expect(service.underWay()).toBe(1)
    await work.catch(() => undefined)
    expect(service.underWay()).toBe(0)
    expect(told).toEqual([expected])
  })

  test('wait as far as there are more of them than places', async () => {
    const never: AnalysisService['analyse'] = () => new Promise(() => {})
    const service = measured({ parallel: 2, analyse: never, close: async () => {} }, () => {})
    const metrics = createMetrics({
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
