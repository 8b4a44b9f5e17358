import type { Context, Middleware } from 'koa'
import type { Lease } from '#server/platform/running/byte-budget.ts'
import type { Role } from '#shared/hosts.ts'
import { requestIdFrom } from './request-id.ts'

/**
 * What is known of a request once it is over. Fields are allow-listed by this type: no address, no query, no body, no
 * credential, and of the path only the route that it took.
 */
export interface RequestRecord {
  readonly requestId: string
  readonly method: string
  /** The route as it is written down, such as `/verification/:verificationId`; absent where there is none. */
  readonly route?: string
  readonly role?: Role
  readonly status: number
  /** The code of the problem that it ended in. */
  readonly code?: string
  /** The rule that a sign-in broke, as `error_description` names it; a fixed text of the OpenID provider. */
  readonly description?: string
  readonly durationInMilliseconds: number
  /** The length of the answer's body. */
  readonly bytes: number
  /** Of the trace that the caller named, or that was begun here. */
  readonly traceId?: string
  readonly accountId?: string
  readonly keyId?: string
  /** Of who is signed in to the console. */
  readonly operatorId?: string
  /** The client left before it had its answer. */
  readonly aborted?: true
  /** The list of ignored names in the response, which only the request log keeps. */
  readonly ignored?: string
}

export type Observe = (record: RequestRecord) => void

/** As much of a caller as is logged of a request. */
type Identified =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'session' | 'kiosk'; readonly accountId: string }
  | {
      readonly kind: 'account'
      readonly accountId: string
      readonly keyId: string
      readonly via: string
    }

/** What the steps of a request leave for its record, in `ctx.state`. */
export interface RequestState {
  requestId: string
  route?: string
  role?: Role
  caller?: Identified
  traceId?: string
  /** The code of the problem that it ended in. */
  code?: string
  description?: string
  /** The list of ignored names in the response. */
  ignored?: string
  /** What the request still holds once it was answered. */
  lease?: Lease
}

/** Gives each request its id, tells of it once when it is over, and frees what it held. */
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

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Built up name by name: this is done for every request. */
function recordOf(ctx: Context, state: RequestState, milliseconds: number): RequestRecord {
  const { res } = ctx
  const { requestId, role, caller, traceId, code, description, ignored } = state
  const route = state.route ?? matchedRoute(ctx)
  const record = { requestId, method: ctx.req.method ?? '-' } as Mutable<RequestRecord>
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

/** Also where the method is not one that the route takes. */
function matchedRoute(ctx: Context & { matched?: readonly { path: unknown }[] }): string | undefined {
  const path = ctx.matched?.[0]?.path
  return typeof path === 'string' ? path : undefined
}
