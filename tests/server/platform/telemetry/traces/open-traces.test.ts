import { createRequire } from 'node:module'
import { trace } from '@opentelemetry/api'
import { afterEach, describe, expect, test } from 'vitest'
import { measured } from '#server/app/figures/measured-analysis.ts'
import { productVersion } from '#server/platform/running/product-version.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { timedStore } from '#server/platform/store/timed-store.ts'
import { openTraces } from '#server/platform/telemetry/traces/open-traces.ts'
import { getSessions } from '#shared/contract/sessions/session-list.ts'
import { createFakeAnalysis } from '../../../../support/drawn/fake-analysis.ts'
import { startHost } from '../../../../support/host.ts'
import { startReceiver } from '../../../../support/programs/receiver.ts'
import { newVerification, visit } from '../../../../support/visit.ts'

const ignore = () => undefined
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  trace.disable()
})

async function newCollector(answers: Parameters<typeof startReceiver>[0] = []) {
  const collector = await startReceiver(answers)
  closers.push(collector.close)
  const settings = { address: collector.address, headers: {}, serviceName: 'selfsame' }
  return { collector, settings }
}

const packageIsLoaded = () =>
  Object.keys(createRequire(import.meta.url).cache).some((path) =>
    path.includes('/@opentelemetry/sdk-trace/'),
  )

interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly parentSpanId?: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
  readonly events?: readonly unknown[]
  readonly links?: readonly unknown[]
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { readonly key: string }[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

describe('traces', () => {
  test('load no package unless a collector is named', async () => {
    await (await openTraces(undefined, ignore)).close()
    expect(packageIsLoaded()).toBe(false)
    const { settings } = await newCollector()
    await (await openTraces(settings, ignore)).close()
    expect(packageIsLoaded()).toBe(true)
    trace.disable()
  })

  test('of a visit reach the collector, and nothing in them identifies a person, a session, a caller or an address', async () => {
    const { collector, settings } = await newCollector()
    const failures: unknown[] = []
    const traces = await openTraces(
      { ...settings, headers: { 'x-collector-key': 'collector-secret' } },
      (error) => failures.push(error),
    )
    const webhook = await startReceiver()
    closers.push(webhook.close)
    const analysis = measured(createFakeAnalysis(), ignore)
    const store = timedStore(createMemoryStore(Date.now), 'redis', ignore)
    const host = await startHost({ store, ports: { analysis } })
    closers.push(host.close)

    const verificationId = await newVerification(host, {
      webhookConfig: { eventCallbackUrl: `${webhook.address}/marked-hook` },
    })
    const scene = { person: 'marked-anna' }
    const { opened } = await visit(host, verificationId, scene, 'reExternalId=marked-person')
    const requestId = '0123456789abcdef0123456789abcdef'
    const traceId = 'feedfacefeedfacefeedfacefeedface'
    const marked = await host.fetch(`${getSessions.path}?externalId=marked-query&name=marked-name`, {
      headers: {
        authorization: `ApiKey ${host.apiKey}`,
        'x-request-id': requestId,
        'user-agent': 'marked-agent',
        'x-forwarded-for': '203.0.113.77',
        cookie: 'marked-cookie=1',
        traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
        tracestate: 'marked=state',
        baggage: 'marked=baggage',
      },
    })
    expect(marked.headers.get('x-request-id')).toBe(requestId)
    await host.fetch('/marked-path/marked-segment?marked-key=1')
    await host.services.deliveries.settle()
    await traces.close()

    expect(failures).toEqual([])
    const { headers } = collector.received[0]!
    expect(headers['user-agent']).toMatch(new RegExp(`^Selfsame/${productVersion}( |$)`))
    expect(headers['x-collector-key']).toBe('collector-secret')
    const all = collector.received.map((one) => one.body).join('\n')
    for (const value of [
      'marked',
      'collector-secret',
      '127.0.0.1',
      '203.0.113.77',
      requestId,
      host.apiKey,
      host.accountId,
      verificationId,
      opened.verificationSessionId,
      opened.sessionToken,
    ])
      expect(all).not.toContain(value)

    const sent = collector.received.flatMap((one) => (JSON.parse(one.body) as Sent).resourceSpans)
    for (const { resource } of sent)
      expect(resource.attributes.map(({ key }) => key).sort()).toEqual([
        'service.instance.id',
        'service.name',
        'service.version',
      ])
    const spans = sent.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans))
    const names = new Set(spans.map(({ name }) => name))
    for (const name of [
      'POST /v1/verification/submit-session',
      'analysis',
      'store commit',
      'POST',
      'GET none',
    ])
      expect(names).toContain(name)
    const keys = new Set(spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)))
    expect([...keys].sort()).toEqual([
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'selfsame.queue',
      'selfsame.role',
      'selfsame.status',
      'selfsame.store',
    ])
    for (const { events = [], links = [] } of spans) expect([...events, ...links]).toEqual([])
    const ofCaller = spans.filter((span) => span.traceId === traceId)
    expect(ofCaller.map(({ parentSpanId }) => parentSpanId)).toContain('00f067aa0ba902b7')
    expect(spans.filter(({ name }) => name === 'store commit').every((span) => span.parentSpanId)).toBe(true)
  })

  test('that a collector never accepts delay nothing, and are dropped when the process ends', async () => {
    const { collector, settings } = await newCollector(Array(100).fill('hang'))
    const traces = await openTraces(settings, ignore)
    const tracer = trace.getTracerProvider().getTracer('test')
    for (let i = 0; i < 20_000; i++) tracer.startSpan('request').end()
    await expect.poll(() => collector.received.length, { timeout: 10_000 }).toBeGreaterThan(0)
    const closing = performance.now()
    await traces.close()
    // The exporter would wait for 10 seconds by itself.
    expect(performance.now() - closing).toBeLessThan(8_000)
    const sent = collector.received.map(({ body }) => body.match(/"name":"request"/g)!.length)
    expect(sent.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(3 * 2048)
  })

  test('that a collector refuses are reported once for each batch', async () => {
    const { settings } = await newCollector([400])
    const failures: unknown[] = []
    const traces = await openTraces(settings, (error) => failures.push(error))
    trace.getTracerProvider().getTracer('test').startSpan('request').end()
    await traces.close()
    expect(failures).toHaveLength(1)
  })
})
