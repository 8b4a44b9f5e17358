import type { Context } from 'koa'
import type { Caller } from '#server/accounts/caller.ts'
import type { ByteBudget } from '#server/operations/byte-budget.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { allowAnyOrigin } from './answers/security-headers.ts'
import type { Once } from './idempotency/once.ts'
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

/** What an endpoint of a role is served with. */
export interface Serving {
  readonly role: Role
  readonly admit: Admit
  readonly limits: Pick<RateLimits, 'chargeMore'>
  readonly budget: ByteBudget
  readonly bodies?: BodyRules
  /** Undefined for an endpoint that takes no `Idempotency-Key`. */
  readonly once: Once | undefined
}

/** Serves one endpoint of a role: admit, read the body, validate, handle, answer. */
export function serveEndpoint(endpoint: Endpoint, handler: AnyHandler, serving: Serving): Serve {
  const { role, admit, limits, budget, bodies, once = always } = serving
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
    const { querystring } = ctx.request
    const run = (given: unknown) => {
      if (mayRefuse && querystring !== '') refuseUndecodable(querystring)
      const query =
        querySchema && validate(querySchema, querystring === '' ? {} : { ...ctx.query }, '#/query')
      const body = bodySchema && validate(bodySchema, given, '#')
      return handler({ query, body, caller })
    }
    try {
      const given = readBody && (await readBody(ctx, lease))
      const asked = { query: querystring, body: given }
      const result = await once(ctx, caller, asked, async () => run(given))
      await limits.chargeMore(ctx, endpoint, caller, more)
      lease.hold(answer(ctx, endpoint, result))
    } finally {
      whenTaken(ctx, lease.free)
    }
  }
}

const always: Once = (_ctx, _caller, _given, run) => run()

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
