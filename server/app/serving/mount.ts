import type { Context, Middleware } from 'koa'
import type { GenericSchema } from 'valibot'
import type { Caller } from '#server/features/callers/callers.ts'
import type { AnswerOnce } from '#server/features/idempotency/idempotency.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { type BodyRules, bodyReader } from '#server/platform/http/requests/body.ts'
import { declaredMembers } from '#server/platform/http/requests/declared-members.ts'
import { readQuery } from '#server/platform/http/requests/encoding.ts'
import { type IgnoredNames, listIgnoredNames } from '#server/platform/http/requests/ignored-names.ts'
import { requestSchemasOf } from '#server/platform/http/requests/known-names.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import { validate } from '#server/platform/http/requests/validation.ts'
import { answerWith } from '#server/platform/http/responses/answer.ts'
import { allowAnyOrigin } from '#server/platform/http/responses/security-headers.ts'
import type { ByteBudget, Lease } from '#server/platform/running/byte-budget.ts'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { jsonObject } from '#shared/contract/elements.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import type { Admit } from './admission.ts'
import { bodySharesOf } from './body-shares.ts'

/** A handler as the router sees it. Its own types are erased, because the table has already checked them. */
export type AnyHandler = (request: { query: unknown; body: unknown; caller: Caller }) => Promise<unknown>

/** Everything needed to serve one of a role's endpoints. */
export interface EndpointServices {
  readonly role: Role
  readonly admit: Admit
  readonly limits: Pick<RateLimits, 'countCall' | 'chargeMore'>
  readonly budget: ByteBudget
  readonly bodies?: BodyRules
  /** Undefined for an endpoint that does not accept an `Idempotency-Key`. */
  readonly once: AnswerOnce | undefined
  /**
   * Checks if the caller may make this request. Runs before a stored response is repeated, because the handler, which also
   * checks it, is then skipped.
   */
  readonly permit?: AnyHandler | undefined
}

/** Serves one of a role's endpoints: admit, read the body, validate, handle, answer. */
export function serveEndpoint(
  endpoint: Endpoint,
  handler: AnyHandler,
  serving: EndpointServices,
): Middleware {
  const { role, admit, limits, budget, bodies, once, permit } = serving
  const { auth, method, path } = endpoint
  const readBody = endpoint.body && bodyReader(endpoint, bodies)
  const read = requestReader(endpoint)
  const isForAnyOrigin = auth === 'none' && method === 'GET'
  return async (ctx) => {
    const state = ctx.state as RequestState
    state.route = path
    if (isForAnyOrigin) allowAnyOrigin(ctx)
    const caller = await admit(ctx, endpoint, role)
    const lease = budget.open(bodySharesOf(caller, budget))
    caller.lease = lease
    try {
      const body = withoutAbsent(ctx, endpoint, await readBody?.(ctx, lease))
      const pictures = picturesCounted(endpoint, body)
      const run = async () => {
        const request = read(ctx, body)
        if (pictures !== endpoint) await limits.countCall(ctx, pictures, caller)
        return handler({ ...request, caller })
      }
      // Rejects invalid requests before the permission check.
      const mayRepeat = async () => {
        const request = permit && tryOrUndefined(() => read(ctx, body))
        if (request !== undefined) await permit?.({ ...request, caller })
      }
      const given = { query: ctx.querystring, body }
      const result = await (once === undefined ? run() : once(ctx, caller, given, { run, mayRepeat }))
      await limits.chargeMore(ctx, pictures, caller, caller.extraUses ?? 0)
      lease.hold(await answerWith(ctx, endpoint, result))
    } finally {
      freeWhenTaken(ctx, lease)
    }
  }
}

/**
 * The limit for pictures in a call that analyses them as a side effect: the limit of analyses.
 * [Note: Whatever is looked at is an analysis]
 */
function picturesCounted(endpoint: Endpoint, body: unknown): Pick<Endpoint, 'rate'> {
  const { analysed } = endpoint
  const isSent = analysed !== undefined && typeof body === 'object' && body !== null && analysed in body
  return isSent ? { rate: 'analyses' } : endpoint
}

/**
 * The body of a request to an endpoint, without members that count as absent. The response lists ignored names, even if it
 * is a problem or a repeated response.
 */
function withoutAbsent(ctx: Context, { ignoresUnknownNames, query, body }: Endpoint, sent: unknown): unknown {
  if (!ignoresUnknownNames) return sent
  const ignored: IgnoredNames = new Map()
  const read = body === undefined ? sent : declaredMembers(body, sent, ignored)
  if (ctx.querystring !== '') declaredMembers(query ?? noParameters, readQuery(ctx), ignored)
  listIgnoredNames(ctx, ignored)
  return read
}

const noParameters = jsonObject({})

/** Validates a request's query and body with the endpoint's schemas. @throws {Problem} 400 */
function requestReader(endpoint: Endpoint) {
  const { query: querySchema, body: bodySchema } = requestSchemasOf(endpoint)
  /** Most calls have no query, and validating an empty query always gives the same result. */
  let ofNone: unknown
  const readParameters = (ctx: Context, schema: GenericSchema) => {
    if (ctx.querystring !== '') return validate(schema, { ...readQuery(ctx) }, '#/query')
    ofNone ??= Object.freeze(validate(schema, {}, '#/query'))
    return ofNone
  }
  return (ctx: Context, given: unknown) => {
    const query = querySchema && readParameters(ctx, querySchema)
    const body = bodySchema && validate(bodySchema, given, '#')
    return { query, body }
  }
}

/**
 * [Note: Held until it is taken] A slow reader keeps the response in memory until it has read everything, even after
 * processing has ended.
 */
function freeWhenTaken({ res, state }: Context, lease: Lease): void {
  if (res.closed) lease.free()
  else (state as RequestState).lease = lease
}
