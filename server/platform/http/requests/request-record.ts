import type { Context, Middleware } from 'koa'
import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Role } from '#shared/hosts.ts'
import { requestIdFrom } from './request-id.ts'

/**
 * Facts about a finished request. This type is the allow-list of fields: no address, no query, no body, no credential, and
 * only the path's matched route.
 */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  /** The route as declared, such as `/verification/:verificationId`; absent if none matched. */
  readonly route?: string
  readonly role?: Role
  readonly status: number
  /** The code of the response's problem. */
  readonly code?: string
  /** The rule that a sign-in broke, as in `error_description`: one of the OpenID provider's fixed texts. */
  readonly description?: string
  readonly durationInMilliseconds: number
  /** The response body's length. */
  readonly bytes: number
  /** The ID of the trace that the caller named, or that started here. */
  readonly traceId?: string
  readonly accountId?: string
  readonly keyId?: string
  /** The operator who is signed in to the console. */
  readonly operatorId?: string
  /** True if the client disconnected before it had the response. */
  readonly aborted?: true
  /** The response's list of ignored names. Only the request log keeps it. */
  readonly ignored?: string
}

export type Observe = (record: RequestRecord) => void

/** The part of a caller that is logged with a request. */
type RequestCaller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'session' | 'kiosk'; readonly accountId: string }
  | {
      readonly kind: 'account'
      readonly accountId: string
      readonly keyId: string
      readonly via: string
    }

/** Facts that the steps in a request leave in `ctx.state` for its record. */
export interface RequestState {
  requestId: string
  route?: string
  role?: Role
  caller?: RequestCaller
  traceId?: string
  /** The code of the response's problem. */
  code?: string
  description?: string
  /** The response's list of ignored names. */
  ignored?: string
  /** Memory that the request still holds once it has been answered. */
  lease?: Lease
}

/** Assigns each request its ID, reports it once when it is over, and frees the memory it held. */
export function recordRequests(observe: Observe): Middleware {
  return (ctx, next) => {
    const started = performance.now()
    const state = ctx.state as RequestState
    state.requestId = requestIdFrom(ctx.req.headers['x-request-id'])
    ctx.set('X-Request-Id', state.requestId)
    ctx.res.on('close', () => {
      state.lease?.free()
      observe(recordOf(ctx, state, performance.now() - started))
    })
    return next()
  }
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Built member by member because this runs for every request. */
function recordOf(ctx: Context, state: RequestState, milliseconds: number): RequestRecord {
  const { res } = ctx
  const { requestId, role, caller, traceId, code, description, ignored } = state
  const route = state.route ?? matchedRoute(ctx)
  const record = { requestId, method: ctx.req.method ?? '-' } as Writable<RequestRecord>
  if (route !== undefined) record.route = route
  if (role !== undefined) record.role = role
  if (traceId !== undefined) record.traceId = traceId
  record.status = res.statusCode
  if (code !== undefined) record.code = code
  if (description !== undefined) record.description = description
  record.durationInMilliseconds = Math.round(milliseconds * 10) / 10
  record.bytes = Number(res.getHeader('content-length') ?? 0)
  if (caller !== undefined && caller.kind !== 'anonymous') record.accountId = caller.accountId
  if (caller?.kind === 'account') {
    if (caller.via === 'operator') record.operatorId = caller.keyId
    else record.keyId = caller.keyId
  }
  if (!res.writableFinished) record.aborted = true
  if (ignored !== undefined) record.ignored = ignored
  return record
}

/** Also matches if the route does not accept the method. */
function matchedRoute(ctx: Context & { matched?: readonly { path: unknown }[] }): string | undefined {
  const path = ctx.matched?.[0]?.path
  return typeof path === 'string' ? path : undefined
}
