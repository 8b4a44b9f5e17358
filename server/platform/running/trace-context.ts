import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { productVersion } from './product-version.ts'

/**
 * [Note: Traces are passed on, spans are optional] A caller that sends a `traceparent` finds its trace in our log and in our
 * outgoing requests. Spans go to the collector at OTEL_EXPORTER_OTLP_ENDPOINT or to a provider that the operator registered
 * in the process. Otherwise, they are not created.
 */
const current = new AsyncLocalStorage<SpanContext>()

/** Version, trace ID, the caller's span ID and flags: https://www.w3.org/TR/trace-context/#traceparent-header */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** Parses a `traceparent` header. Undefined if it is absent or invalid; the trace then starts here, or there is none. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = (typeof header === 'string' && form.exec(header)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** The header for requests sent within a trace; empty outside of a trace. */
export function traceHeaders(): { readonly traceparent?: string } {
  const context = current.getStore()
  if (context === undefined) return {}
  const { traceId, spanId, traceFlags } = context
  return { traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}` }
}

export function traceIdNow(): string | undefined {
  return current.getStore()?.traceId
}

/** The API returns this provider if no other was registered. */
const noProvider = new ProxyTracerProvider().getDelegate()

/** True if the operator has registered a provider that receives spans. */
export function hasTracerProvider(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noProvider
}

/**
 * [Note: The attributes of spans] Only these are allowed, so that addresses, IDs, headers and statements do not enter a
 * trace, which may have readers who must not see personal data. The request ID is excluded because callers choose it; the
 * log has both IDs.
 */
export interface SpanAttributes {
  readonly 'http.request.method'?: string
  /** The route as declared, such as `/verification/:verificationId`. */
  readonly 'http.route'?: string
  readonly 'http.response.status_code'?: number
  readonly 'selfsame.role'?: string
  readonly 'selfsame.store'?: StoreKind
  /** How an analysis ended. */
  readonly 'selfsame.status'?: 'done' | 'failed' | 'rejected'
  /** How many pictures were being analysed or waiting when this one arrived. */
  readonly 'selfsame.queue'?: number
}

/** The backend that stores the records. */
export type StoreKind = 'lmdb' | 'redis' | 'postgres'

/** Lets the work within a span set attributes on it. */
export interface SpanReport {
  rename(name: string): void
  add(attributes: SpanAttributes): void
  fail(): void
}

interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: SpanAttributes
  /** The caller's span; defaults to the current one. */
  readonly parent?: SpanContext | undefined
}

/** Runs work in a new span below the current one. */
export async function inSpan<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, parent = current.getStore() }: SpanOptions,
  work: (report: SpanReport) => Promise<T>,
): Promise<T> {
  const below = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
  const span = trace
    .getTracer('selfsame', productVersion)
    .startSpan(name, { kind, attributes: { ...attributes } }, below)
  const own = ownContext(span, parent)
  const report: SpanReport = {
    rename: (to) => void span.updateName(to),
    add: (more) => void span.setAttributes({ ...more }),
    fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
  }
  try {
    return await (own === undefined ? work(report) : current.run(own, () => work(report)))
  } catch (error) {
    report.fail()
    throw error
  } finally {
    span.end()
  }
}

/** Like `inSpan`, but creates a span only within a collected trace, so that store calls cost nothing extra otherwise. */
export function inInnerSpan<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  if (current.getStore() === undefined || !hasTracerProvider()) return work()
  return inSpan(name, { attributes }, work)
}

/** Without a provider there is no span, but each outgoing request still gets its own ID within the caller's trace. */
function ownContext(span: Span, parent: SpanContext | undefined): SpanContext | undefined {
  if (span.isRecording() && isSpanContextValid(span.spanContext())) return span.spanContext()
  return parent && { ...parent, spanId: randomBytes(8).toString('hex'), isRemote: false }
}
