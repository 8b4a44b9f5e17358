import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { Caller } from '#server/accounts/caller.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Authenticate } from './authenticate.ts'
import { jsonBody } from './body.ts'
import { allowAnyOrigin } from './security-headers.ts'
import { validate } from './validation.ts'

/** A handler as the router sees it, its own types erased by the table that checked them. */
export type AnyHandler = (request: { query: unknown; body: unknown; caller: Caller }) => Promise<unknown>

/** Mounts one endpoint: authenticate, read the body, validate, handle, answer. */
export function mount(
  router: Router,
  endpoint: Endpoint,
  handler: AnyHandler,
  authenticate: Authenticate,
  acceptsKeyHeader: boolean,
): void {
  const steps: Middleware[] = [
    async (ctx, next) => {
      ctx.state.caller = await authenticate(ctx, endpoint, acceptsKeyHeader)
      await next()
    },
    ...(endpoint.body === undefined ? [] : [jsonBody(endpoint.bodyLimitInBytes)]),
    async (ctx) => {
      const query = endpoint.query && validate(endpoint.query, { ...ctx.query }, '#/query')
      const body = endpoint.body && validate(endpoint.body, ctx.state.body, '#')
      const result = await handler({ query, body, caller: ctx.state.caller as Caller })
      answer(ctx, endpoint, result)
    },
  ]
  router.register(endpoint.path, [endpoint.method], steps)
}

function answer(ctx: Context, endpoint: Endpoint, result: unknown): void {
  if (endpoint.auth === 'none' && endpoint.method === 'GET') allowAnyOrigin(ctx)
  ctx.status = 200
  if (endpoint.textVariant === true) {
    ctx.vary('Accept')
    if (ctx.accepts('application/json', 'text/plain') === 'text/plain') {
      ctx.type = 'text/plain'
      ctx.body = String(result)
      return
    }
  }
  ctx.type = 'application/json'
  ctx.body = JSON.stringify(result)
}
