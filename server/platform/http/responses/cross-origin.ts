import type { Context, Middleware } from 'koa'
import type { Endpoint } from '#shared/endpoint.ts'

const exposed =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Selfsame-Ignored'
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key'
const preflightSeconds = 600

/**
 * Allows pages from the given origins to call the given endpoints; `*` allows every page. Browser credentials are never
 * allowed, because pages send a bearer token. Failures carry the headers too, or a page could not read them.
 */
export function crossOrigin(endpoints: Iterable<Endpoint>, origins: readonly string[]): Middleware {
  const methodsOf = new Map<string, string[]>()
  for (const { path, method } of endpoints) methodsOf.set(path, [...(methodsOf.get(path) ?? []), method])
  const isAllowed = (origin: string) => origin !== '' && (origins.includes('*') || origins.includes(origin))

  return (ctx, next) => {
    const methods = methodsOf.get(ctx.path)
    if (methods === undefined) return next()
    ctx.vary('Origin')
    if (!isAllowed(ctx.get('Origin'))) return next()
    ctx.set({ 'Access-Control-Allow-Origin': ctx.get('Origin'), 'Access-Control-Expose-Headers': exposed })
    if (!isPreflight(ctx)) return next()
    return answerPreflight(ctx, methods)
  }
}

function isPreflight(ctx: Context): boolean {
  return ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== ''
}

function answerPreflight(ctx: Context, methods: readonly string[]): void {
  ctx.status = 204
  ctx.set({
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': String(preflightSeconds),
  })
}
