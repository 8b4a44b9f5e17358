import type { Context } from 'koa'
import type { Caller } from '#server/accounts/caller.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { allowAnyOrigin } from './answers/security-headers.ts'
import type { Once } from './idempotency/once.ts'
import type { Admit } from './limits/admission.ts'
import { bodyReader } from './requests/body.ts'
import type { RequestState } from './requests/request-record.ts'
import { refuseUndecodable, validate } from './requests/validation.ts'

/** A handler as the router sees it, its own types erased by the table that checked them. */
export type AnyHandler = (request: { query: unknown; body: unknown; caller: Caller }) => Promise<unknown>

/** Answers the requests of one endpoint. */
export type Serve = (ctx: Context) => Promise<void>

/** What every endpoint of a role is served with. */
export interface Serving {
  readonly role: Role
  readonly admit: Admit
  /** Undefined for an endpoint that takes no `Idempotency-Key`. */
  readonly once: Once | undefined
}

/** Serves one endpoint of a role: admit, read the body, validate, handle, answer. */
export function serveEndpoint(
  endpoint: Endpoint,
  handler: AnyHandler,
  { role, admit, once = always }: Serving,
): Serve {
  const { auth, method, path, query: querySchema, body: bodySchema } = endpoint
  const isForAnyOrigin = auth === 'none' && method === 'GET'
  const mayRefuse = endpoint.errors.includes(400)
  const readBody = bodySchema && bodyReader(endpoint)
  return async (ctx) => {
    const state = ctx.state as RequestState
    state.route = path
    if (isForAnyOrigin) allowAnyOrigin(ctx)
    const caller = await admit(ctx, endpoint, role)
    const given = readBody && (await readBody(ctx))
    const { querystring } = ctx.request
    const run = async () => {
      if (mayRefuse && querystring !== '') refuseUndecodable(querystring)
      const query =
        querySchema && validate(querySchema, querystring === '' ? {} : { ...ctx.query }, '#/query')
      const body = bodySchema && validate(bodySchema, given, '#')
      return handler({ query, body, caller })
    }
    answer(ctx, endpoint, await once(ctx, caller, { query: querystring, body: given }, run))
  }
}

const always: Once = (_ctx, _caller, _given, run) => run()

/** [Note: Ours] A media type that is not offered is answered in JSON, not with a 406. */
const variants = ['application/json', 'text/plain', 'text/json']

/** [Note: Said plainly] Every answer passes here, so the headers are written directly, not derived by Koa each time. */
function answer(ctx: Context, endpoint: Endpoint, result: unknown): void {
  const type = variantOf(ctx, endpoint)
  ctx.res.setHeader('Content-Type', `${type}; charset=utf-8`)
  const isBare = typeof result === 'string' && type === 'text/plain'
  ctx.response.body = isBare ? result : JSON.stringify(result)
}

function variantOf(ctx: Context, { plainText, textVariant }: Endpoint): string {
  if (plainText === true) return 'text/plain'
  if (textVariant !== true) return variants[0]!
  if (ctx.res.hasHeader('Vary')) ctx.vary('Accept')
  else ctx.res.setHeader('Vary', 'Accept')
  const { accept } = ctx.req.headers
  if (accept === undefined || accept === '*/*' || accept === variants[0]) return variants[0]!
  return ctx.accepts(variants) || variants[0]!
}
