import { SpanKind } from '@opentelemetry/api'
import type { Middleware } from 'koa'
import {
  hasTracerProvider,
  inSpan,
  readTraceparent,
  traceIdNow,
} from '#server/platform/running/trace-context.ts'
import type { RequestState } from './request-record.ts'

/** Continues the caller's trace in a span for each request, named after the request's route. */
export const traceRequests: Middleware = (ctx, next) => {
  const parent = readTraceparent(ctx.req.headers.traceparent)
  // Skips the work if no trace was requested and no spans are collected.
  if (parent === undefined && !hasTracerProvider()) return next()
  const state = ctx.state as RequestState
  return inSpan(ctx.method, { kind: SpanKind.SERVER, parent }, async (report) => {
    const traceId = traceIdNow()
    if (traceId !== undefined) state.traceId = traceId
    await next()
    const { route = 'none', role = 'none' } = state
    report.rename(`${ctx.method} ${route}`)
    report.add({
      'http.request.method': ctx.method,
      'http.route': route,
      'http.response.status_code': ctx.status,
      'selfsame.role': role,
    })
    if (ctx.status >= 500) report.fail()
  })
}
