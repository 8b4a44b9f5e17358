import type { Context, Middleware } from 'koa'
import type { AccountCaller, Caller } from '#server/accounts/caller.ts'
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
}

export type Observe = (record: RequestRecord) => void

/** What the steps of a request leave for its record, in `ctx.state`. */
export interface RequestState {
  requestId: string
  route?: string
  role?: Role
  caller?: Caller
  traceId?: string
  /** The code of the problem that it ended in. */
  code?: string
}

/** Gives each request its id, on every answer, and tells of it once when it is over. */
export function recordRequests(observe: Observe): Middleware {
  return (ctx, next) => {
    const started = performance.now()
    const state = ctx.state as RequestState
    state.requestId = requestIdFrom(ctx.req.headers['x-request-id'])
    ctx.res.setHeader('X-Request-Id', state.requestId)
    ctx.res.once('close', () => observe(recordOf(ctx, state, performance.now() - started)))
    return next()
  }
}

function recordOf(ctx: Context, state: RequestState, milliseconds: number): RequestRecord {
  const { requestId, role, caller, traceId, code } = state
  const route = state.route ?? matchedRoute(ctx)
  return {
    requestId,
    method: ctx.req.method ?? '-',
    ...(route === undefined ? {} : { route }),
    ...(role === undefined ? {} : { role }),
    ...(traceId === undefined ? {} : { traceId }),
    status: ctx.res.statusCode,
    ...(code === undefined ? {} : { code }),
    durationInMilliseconds: Math.round(milliseconds * 10) / 10,
    bytes: Number(ctx.res.getHeader('content-length') ?? 0),
    ...(caller === undefined || caller.kind === 'anonymous' ? {} : { accountId: caller.accountId }),
    ...(caller?.kind === 'account' && credentialOf(caller)),
    ...(ctx.res.writableFinished ? {} : { aborted: true as const }),
  }
}

/** Also where the method is not one that the route takes. */
function matchedRoute(ctx: Context & { matched?: readonly { path: unknown }[] }): string | undefined {
  const path = ctx.matched?.[0]?.path
  return typeof path === 'string' ? path : undefined
}

function credentialOf({ via, keyId }: AccountCaller): Pick<RequestRecord, 'keyId' | 'operatorId'> {
  return via === 'operator' ? { operatorId: keyId } : { keyId }
}
