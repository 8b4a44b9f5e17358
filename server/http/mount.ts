import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { Caller } from '#server/accounts/caller.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import type { Admit } from './admission.ts'
import { jsonBody } from './body.ts'
import { allowAnyOrigin } from './security-headers.ts'
import { refuseUndecodable, validate } from './validation.ts'

/** A handler as the router sees it, its own types erased by the table that checked them. */
export type AnyHandler = (request: { query: unknown; body: unknown; caller: Caller }) => Promise<unknown>

/** Mounts one endpoint of a role: admit, read the body, validate, handle, answer. */
export function mount(
  router: Router,
  endpoint: Endpoint,
  handler: AnyHandler,
  admit: Admit,
  role: Role,
): void {
  const steps: Middleware[] = [
    async (ctx, next) => {
      if (endpoint.auth === 'none' && endpoint.method === 'GET') allowAnyOrigin(ctx)
      ctx.state.caller = await admit(ctx, endpoint, role)
      await next()
    },
    ...(endpoint.body === undefined ? [] : [jsonBody(endpoint.bodyLimitInBytes)]),
    async (ctx) => {
      if (endpoint.errors.includes(400)) refuseUndecodable(ctx.querystring)
      const query = endpoint.query && validate(endpoint.query, { ...ctx.query }, '#/query')
      const body = endpoint.body && validate(endpoint.body, ctx.state.body, '#')
      const result = await handler({ query, body, caller: ctx.state.caller as Caller })
      answer(ctx, endpoint, result)
    },
  ]
  router.register(endpoint.path, [endpoint.method], steps)
}

/** [Note: Ours] What cannot be offered is answered in JSON: a 406 would help nobody. */
const variants = ['application/json', 'text/plain', 'text/json']

function answer(ctx: Context, endpoint: Endpoint, result: unknown): void {
  ctx.status = 200
  ctx.type = variantOf(ctx, endpoint)
  const isBare = typeof result === 'string' && ctx.type === 'text/plain'
  ctx.body = isBare ? result : JSON.stringify(result)
}

function variantOf(ctx: Context, { plainText, textVariant }: Endpoint): string {
  if (plainText === true) return 'text/plain'
  if (textVariant !== true) return variants[0]!
  ctx.vary('Accept')
  return ctx.accepts(variants) || variants[0]!
}
