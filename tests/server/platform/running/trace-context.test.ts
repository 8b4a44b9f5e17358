import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  type Context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanContext,
  type SpanOptions,
  trace,
} from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTraceparent } from '#server/platform/running/trace-context.ts'
import { submitSession } from '#shared/contract/sessions/session.ts'
import { frameOf } from '../../../support/drawn/fake-picture.ts'
import { type Host, startHost } from '../../../support/host.ts'
import { startReceiver } from '../../../support/programs/receiver.ts'
import { consent, newVerification, openSession } from '../../../support/visit.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${spanId}-01`

describe('a traceparent', () => {
  test('is parsed as the W3C defines it', () => {
    expect(readTraceparent(traceparent)).toEqual({ traceId, spanId, traceFlags: 1, isRemote: true })
    expect(readTraceparent(`cc-${traceId}-${spanId}-00-more`)).toMatchObject({ traceId, traceFlags: 0 })
  })

  test.each([
    undefined,
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    ` 00-${traceId}-${spanId}-01`,
  ])('that is malformed is ignored: %s', (header) => {
    expect(readTraceparent(header)).toBeUndefined()
  })
})

interface Ended {
  name: string
  readonly parent: SpanContext | undefined
  readonly own: SpanContext
  readonly attributes: Attributes
}

/** A provider as operators register one. It keeps the spans that have ended. */
function keepingSpans(ended: Ended[]) {
  const startSpan = (name: string, options: SpanOptions = {}, context?: Context) => {
    const parent = context && trace.getSpanContext(context)
    const own = {
      ...(parent ?? INVALID_SPAN_CONTEXT),
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: 1,
    }
    const kept: Ended = { name, parent, own, attributes: { ...options.attributes } }
    return {
      spanContext: () => own,
      isRecording: () => true,
      setStatus: () => undefined,
      updateName: (to: string) => {
        kept.name = to
      },
      setAttributes: (more: Attributes) => Object.assign(kept.attributes, more),
      end: () => ended.push(kept),
    } as unknown as Span
  }
  return { getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }) }
}

let host: Host
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  host = await startHost()
})
afterAll(async () => {
  trace.disable()
  receiver.close()
  await host.close()
})

/** Completes a named person's visit within the trace. Returns what its webhook receiver got. */
async function complete() {
  const webhookConfig = { eventCallbackUrl: receiver.address }
  const verificationId = await newVerification(host, { webhookConfig })
  const { bearer } = await openSession(host, verificationId, 'reExternalId=person-7')
  const frames = [{ ...frameOf({ person: 'anna' }), challengeStep: 0 }]
  const answer = await host.fetch(submitSession.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', traceparent },
    body: JSON.stringify({ frames, consent }),
  })
  expect(answer.status).toBe(200)
  await host.services.deliveries.settle()
  return receiver.received.at(-1)!
}

describe('a trace', () => {
  test('continues from the caller to the log and the webhook, without any provider', async () => {
    const { headers } = await complete()
    expect(headers.traceparent).toMatch(new RegExp(`^00-${traceId}-(?!${spanId})[\\da-f]{16}-01$`))
    const record = host.records.find(({ route }) => route === submitSession.path)
    expect(record?.traceId).toBe(traceId)
    await host.fetch('/v1/healthz')
    expect(host.records.at(-1)).not.toHaveProperty('traceId')
  })

  test('has spans if a provider is registered, and nothing personal in them', async () => {
    const ended: Ended[] = []
    trace.setGlobalTracerProvider(keepingSpans(ended))
    const { headers } = await complete()
    const request = ended.find(({ name }) => name === `POST ${submitSession.path}`)!
    expect(request.parent).toMatchObject({ traceId, spanId })
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': submitSession.path,
      'http.response.status_code': 200,
      'selfsame.role': 'configuration',
    })
    const post = ended.find(({ name }) => name === 'POST')!
    expect(headers.traceparent).toBe(`00-${traceId}-${post.own.spanId}-01`)
    const told = JSON.stringify(ended)
    for (const personal of ['person-7', 'anna', host.accountId, host.apiKey, '127.0.0.1'])
      expect(told).not.toContain(personal)
  })
})
