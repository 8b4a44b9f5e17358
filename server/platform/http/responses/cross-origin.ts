import type { Context, Middleware } from 'koa'
import type { Endpoint } from '#shared/endpoint.ts'

const exposed =
  'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Selfsame-Ignored'
const allowedHeaders = 'Authorization, Content-Type, Idempotency-Key'
const preflightSeconds = 600

/**
 * Lets pages of the given origins call the given endpoints; `*` among them lets every page. Never with credentials of
 * the browser: a page that calls has a bearer of its own. Says so on failures too, or a page could not read them.
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
