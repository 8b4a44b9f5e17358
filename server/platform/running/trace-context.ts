import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import {
  type Attributes,
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
 * [Note: Traces are passed on, spans are optional] Who calls with a `traceparent` finds its trace in our log and in what we
 * send. Spans go where the operator has registered an OpenTelemetry provider in the process, and nowhere otherwise. They
 * carry routes, roles, statuses and durations: nothing of a person, an account or an address.
 */
const current = new AsyncLocalStorage<SpanContext>()
const tracer = trace.getTracer('selfsame', productVersion)

/** Version, trace id, id of the caller's span, flags: https://www.w3.org/TR/trace-context/#traceparent-header */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/** What a header says; undefined where it makes no sense: a trace then begins anew, or there is none. */
export function readTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  const [, version, traceId, spanId, flags, more] = (typeof header === 'string' && form.exec(header)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

/** The header for what is sent within a trace; none outside of one. */
export function traceHeaders(): { readonly traceparent?: string } {
  const context = current.getStore()
  if (context === undefined) return {}
  const { traceId, spanId, traceFlags } = context
  return { traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}` }
}

export function traceIdNow(): string | undefined {
  return current.getStore()?.traceId
}

/** What nobody has registered yields. */
const noProvider = new ProxyTracerProvider().getDelegate()

/** Whether an operator has registered a provider, to which spans go. */
export function hasTracerProvider(): boolean {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noProvider
}

interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
  /** Of a caller; what runs here is asked for where there is none. */
  readonly parent?: SpanContext | undefined
}

/** Does work in a span of its own, below the one at hand. */
export async function inSpan<T>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, parent = current.getStore() }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const below = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
  const span = tracer.startSpan(name, { kind, attributes }, below)
  const own = ownContext(span, parent)
  try {
    return await (own === undefined ? work(span) : current.run(own, () => work(span)))
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

/** Without a provider a span is its parent, or none: what is sent still has an id of its own in the trace. */
function ownContext(span: Span, parent: SpanContext | undefined): SpanContext | undefined {
  if (span.isRecording() && isSpanContextValid(span.spanContext())) return span.spanContext()
  return parent && { ...parent, spanId: randomBytes(8).toString('hex'), isRemote: false }
}
