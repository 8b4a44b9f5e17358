import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { Middleware } from 'koa'
import {
  hasTracerProvider,
  inSpan,
  readTraceparent,
  traceIdNow,
} from '#server/platform/running/trace-context.ts'
import type { RequestState } from './request-record.ts'

/** Goes on with the trace of the caller, in a span for each request that is named by its route. */
export const traceRequests: Middleware = (ctx, next) => {
  const parent = readTraceparent(ctx.req.headers.traceparent)
  // Nobody asked for a trace, and nobody keeps spans.
  if (parent === undefined && !hasTracerProvider()) return next()
  const state = ctx.state as RequestState
  return inSpan(ctx.method, { kind: SpanKind.SERVER, parent }, async (span) => {
    const traceId = traceIdNow()
    if (traceId !== undefined) state.traceId = traceId
    await next()
    const { route = 'none', role = 'none' } = state
    span.updateName(`${ctx.method} ${route}`)
    span.setAttributes({
      'http.request.method': ctx.method,
      'http.route': route,
      'http.response.status_code': ctx.status,
      'selfsame.role': role,
      'selfsame.request_id': state.requestId,
    })
    if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  })
}
