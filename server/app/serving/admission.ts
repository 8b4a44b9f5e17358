import type { Context } from 'koa'
import type { Caller } from '#server/features/callers/callers.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
import type { Authenticate } from './authenticate.ts'

/** Admits a request before its body is read: identifies the caller and checks the limits. */
export type Admit = (ctx: Context, endpoint: Endpoint, role: Role | undefined) => Promise<Caller>

export function createAdmission(authenticate: Authenticate, limits: RateLimits): Admit {
  /** Counts a failed login only if a credential was sent, because a page's first call does not have one yet. */
  async function noteRefusal(ctx: Context, acceptsKeyHeader: boolean, error: unknown): Promise<void> {
    const wasGiven = ctx.get('Authorization') !== '' || (acceptsKeyHeader && ctx.get('X-API-Key') !== '')
    if (wasGiven && error instanceof Problem && error.status === 401) await limits.noteFailedLogin(ctx)
  }

  return async (ctx, endpoint, role) => {
    const state = ctx.state as RequestState
    if (role !== undefined) state.role = role
    const acceptsKeyHeader = role === 'verify'
    const isOpen = endpoint.auth === 'none'
    if (!isOpen) await limits.checkLogins(ctx)
    let caller: Caller
    try {
      caller = await authenticate(ctx, endpoint, acceptsKeyHeader)
    } catch (error) {
      if (!isOpen) await noteRefusal(ctx, acceptsKeyHeader, error)
      throw error
    }
    state.caller = caller
    await limits.countCall(ctx, endpoint, caller)
    return caller
  }
}
