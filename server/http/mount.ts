import type { Context } from 'koa'
import type { Caller } from '#server/accounts/caller.ts'
import type { ByteBudget } from '#server/operations/byte-budget.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { allowAnyOrigin } from './answers/security-headers.ts'
import type { Admit } from './limits/admission.ts'
import { bodySharesOf } from './limits/body-shares.ts'
import type { RateLimits } from './limits/rate-limits.ts'
import { type BodyRules, bodyReader } from './requests/body.ts'
import type { RequestState } from './requests/request-record.ts'
import { refuseUndecodable, validate } from './requests/validation.ts'

/** A handler as the router sees it, its own types erased by the table that checked them. */
export type AnyHandler = (request: { query: unknown; body: unknown; caller: Caller }) => Promise<unknown>

/** Answers the requests of one endpoint. */
export type Serve = (ctx: Context) => Promise<void>

/** What the requests of all endpoints share. */
interface Shared {
  readonly admit: Admit
  readonly limits: Pick<RateLimits, 'chargeMore'>
  readonly budget: ByteBudget
  readonly bodies?: BodyRules
}

/** Serves one endpoint of a role: admit, read the body, validate, handle, answer. */
export function serveEndpoint(endpoint: Endpoint, handler: AnyHandler, shared: Shared, role: Role): Serve {
  const { admit, limits, budget, bodies } = shared
  const { auth, method, path, query: querySchema, body: bodySchema } = endpoint
  const isForAnyOrigin = auth === 'none' && method === 'GET'
  const mayRefuse = endpoint.errors.includes(400)
  const readBody = bodySchema && bodyReader(endpoint, bodies)
  return async (ctx) => {
    const state = ctx.state as RequestState
    state.route = path
    if (isForAnyOrigin) allowAnyOrigin(ctx)
    const caller = await admit(ctx, endpoint, role)
    const lease = budget.open(bodySharesOf(caller, budget))
    let more = 0
    caller.lease = lease
    caller.spend = (uses) => {
      more += uses
    }
    try {
      const given = readBody && (await readBody(ctx, lease))
      const { querystring } = ctx.request
      if (mayRefuse && querystring !== '') refuseUndecodable(querystring)
      const query =
        querySchema && validate(querySchema, querystring === '' ? {} : { ...ctx.query }, '#/query')
      const body = bodySchema && validate(bodySchema, given, '#')
      const result = await handler({ query, body, caller })
      await limits.chargeMore(ctx, endpoint, caller, more)
      lease.hold(answer(ctx, endpoint, result))
    } finally {
      whenTaken(ctx, lease.free)
    }
  }
}

/** [Note: Held until it is taken] Who reads an answer slowly holds its bytes until then, also where nothing works on it any more. */
function whenTaken({ res }: Context, free: () => void): void {
  if (res.closed) free()
  else res.once('close', free)
}

/** [Note: Ours] A media type that is not offered is answered in JSON, not with a 406. */
const variants = ['application/json', 'text/plain', 'text/json']

/**
 * [Note: Said plainly] Every answer passes here, so the headers are written directly, not derived by Koa each time.
 * @returns about how many bytes it holds
 */
function answer(ctx: Context, endpoint: Endpoint, result: unknown): number {
  const type = variantOf(ctx, endpoint)
  ctx.res.setHeader('Content-Type', `${type}; charset=utf-8`)
  const isBare = typeof result === 'string' && type === 'text/plain'
  const text = isBare ? result : JSON.stringify(result)
  ctx.response.body = text
  return text?.length ?? 0
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
