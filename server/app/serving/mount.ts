import type { Context } from 'koa'
import type { Caller } from '#server/features/callers/callers.ts'
import type { Once } from '#server/features/idempotency/idempotency.ts'
import { unlessItThrows } from '#server/platform/crypto/unless-it-throws.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { type BodyRules, bodyReader } from '#server/platform/http/requests/body.ts'
import type { Serve } from '#server/platform/http/requests/endpoint-routes.ts'
import { requestSchemasOf } from '#server/platform/http/requests/known-names.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import { refuseUndecodable, validate } from '#server/platform/http/requests/validation.ts'
import { createAnswer } from '#server/platform/http/responses/answer.ts'
import { allowAnyOrigin } from '#server/platform/http/responses/security-headers.ts'
import type { Send } from '#server/platform/http/responses/sender.ts'
import type { ByteBudget, Lease } from '#server/platform/running/byte-budget.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import type { Admit } from './admission.ts'
import { bodySharesOf } from './body-shares.ts'

/** A handler as the router sees it, its own types erased by the table that checked them. */
export type AnyHandler = (request: { query: unknown; body: unknown; caller: Caller }) => Promise<unknown>

/** What an endpoint of a role is served with. */
export interface Serving {
  readonly role: Role
  readonly admit: Admit
  readonly limits: Pick<RateLimits, 'chargeMore'>
  readonly budget: ByteBudget
  readonly bodies?: BodyRules
  readonly send: Send
  /** Undefined for an endpoint that takes no `Idempotency-Key`. */
  readonly once: Once | undefined
  /** Whether the caller may do what is sent: asked before a repeat is answered, where the handler asks it as well. */
  readonly permit?: AnyHandler | undefined
}

/** Serves one endpoint of a role: admit, read the body, validate, handle, answer. */
export function serveEndpoint(endpoint: Endpoint, handler: AnyHandler, serving: Serving): Serve {
  const { role, admit, limits, budget, bodies, send, once, permit } = serving
  const { auth, method, path } = endpoint
  const { query: querySchema, body: bodySchema } = requestSchemasOf(endpoint)
  const isForAnyOrigin = auth === 'none' && method === 'GET'
  const mayRefuse = endpoint.errors.includes(400)
  const readBody = bodySchema && bodyReader(endpoint, bodies)
  const answer = createAnswer(endpoint, send)
  /** An empty query says the same each time. */
  let empty: unknown
  const emptyQuery = () => {
    empty ??= querySchema && Object.freeze(validate(querySchema, {}, '#/query'))
    return empty
  }
  const read = (ctx: Context, caller: Caller, querystring: string, given: unknown) => {
    if (mayRefuse && querystring !== '') refuseUndecodable(querystring)
    const query =
      querySchema && (querystring === '' ? emptyQuery() : validate(querySchema, { ...ctx.query }, '#/query'))
    const body = bodySchema && validate(bodySchema, given, '#')
    return { query, body, caller }
  }
  /** What is no request is refused as such, by whoever it comes. */
  const mayRepeat = async (ctx: Context, caller: Caller, querystring: string, given: unknown) => {
    const request = permit && unlessItThrows(() => read(ctx, caller, querystring, given))
    if (request !== undefined) await permit?.(request)
  }
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
      const { querystring } = ctx.request
      const given = readBody && (await readBody(ctx, lease))
      const run = () => handler(read(ctx, caller, querystring, given))
      const result = await (once === undefined
        ? run()
        : once(
            ctx,
            caller,
            { query: querystring, body: given },
            { run: async () => run(), mayRepeat: () => mayRepeat(ctx, caller, querystring, given) },
          ))
      if (more > 0) await limits.chargeMore(ctx, endpoint, caller, more)
      lease.hold(answer(ctx, result))
    } finally {
      freeWhenTaken(ctx, lease)
    }
  }
}

/** [Note: Held until it is taken] Who reads an answer slowly holds its bytes until then, also where nothing works on it any more. */
function freeWhenTaken({ res, state }: Context, lease: Lease): void {
  if (res.closed) lease.free()
  else (state as RequestState).lease = lease
}
