import type { Context } from 'koa'
import type { LimitUsage } from '#shared/problem.ts'

/** Sets the header fields from draft-ietf-httpapi-ratelimit-headers, replacing any other limit's fields. */
export function tellLimit(ctx: Context, usage: LimitUsage): void {
  const { policy, limit, windowInSeconds, left, resetsInSeconds } = usage
  ctx.set('RateLimit-Policy', `"${policy}";q=${limit};w=${windowInSeconds}`)
  ctx.set('RateLimit', `"${policy}";r=${left};t=${resetsInSeconds}`)
}
