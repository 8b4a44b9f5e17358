import type { Context } from 'koa'
import type { RateCounter, Usage } from '#server/platform/store/rate-counter.ts'
import type { Endpoint, RateClass } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { tellLimit } from './limit-headers.ts'
import { networkOf } from './network.ts'

const windowInSeconds = 60

/** How many a minute, or undefined without a limit. */
export interface RateLimitSettings {
  /** Analyses of a key, whatever bearers it made; a large picture or one with many faces counts as several. */
  readonly analyses: number | undefined
  /** Everything else that a key does. */
  readonly requests: number | undefined
  /** Sessions that an address opens, or takes over: a code is not guessed either. */
  readonly inits: number | undefined
  /** Credentials that an address gets wrong. */
  readonly failedLogins: number | undefined
}

/** As much of an endpoint as its calls are counted by. */
type Counts = Pick<Endpoint, 'rate'>

/** As much of a caller as calls are counted by. */
type Countable =
  | { readonly kind: 'account'; readonly keyId: string }
  | { readonly kind: 'anonymous' | 'session' | 'kiosk' }

/** The limits of a minute. Every answer that counts against one says so in `RateLimit` and `RateLimit-Policy`. */
export interface RateLimits {
  /** Counts a call of an identified caller. @throws {Problem} 429 when it is one too many */
  countCall(ctx: Context, endpoint: Counts, caller: Countable): Promise<void>
  /** Counts what a call took beyond one use, once that is known; the next one feels it. */
  chargeMore(ctx: Context, endpoint: Counts, caller: Countable, uses: number): Promise<void>
  /** True for the first use of a key in a minute, and always if openings are not limited. */
  isFirstUse(key: string): Promise<boolean>
  /** @throws {Problem} 429 when too many wrong credentials came from there: also a right one must wait */
  checkLogins(ctx: Context): Promise<void>
  noteFailedLogin(ctx: Context): Promise<void>
}

type Name = Exclude<RateClass, 'uncounted'> | 'failed-logins'

interface Counted {
  readonly name: Name
  readonly limit: number
  readonly key: string
}

export function createRateLimits(counter: RateCounter, limits: RateLimitSettings): RateLimits {
  const loginKey = (ctx: Context) => `failed-logins|${networkOf(ctx.ip)}`

  /** The limit that a call counts against, and under which key; undefined without a limit. */
  function countedBy(ctx: Context, endpoint: Counts, caller: Countable): Counted | undefined {
    if (endpoint.rate === 'uncounted') return undefined
    const name = endpoint.rate
    const limit = limits[name]
    if (limit === undefined) return undefined
    return { name, limit, key: caller.kind === 'account' ? caller.keyId : networkOf(ctx.ip) }
  }

  return {
    async countCall(ctx, endpoint, caller) {
      const by = countedBy(ctx, endpoint, caller)
      if (by === undefined) return
      const usage = await counter.add(`${by.name}|${by.key}`, windowInSeconds)
      tell(ctx, by.name, by.limit, usage)
      if (usage.count > by.limit) throw tooMany(usage)
    },
    async chargeMore(ctx, endpoint, caller, uses) {
      const by = uses > 0 ? countedBy(ctx, endpoint, caller) : undefined
      if (by === undefined) return
      tell(ctx, by.name, by.limit, await counter.add(`${by.name}|${by.key}`, windowInSeconds, uses))
    },
    isFirstUse: async (key) =>
      limits.inits === undefined || (await counter.add(`first-use|${key}`, windowInSeconds)).count === 1,
    async checkLogins(ctx) {
      if (limits.failedLogins === undefined) return
      const usage = await counter.peek(loginKey(ctx), windowInSeconds)
      if (usage.count < limits.failedLogins) return
      tell(ctx, 'failed-logins', limits.failedLogins, usage)
      throw tooMany(usage)
    },
    async noteFailedLogin(ctx) {
      if (limits.failedLogins === undefined) return
      const usage = await counter.add(loginKey(ctx), windowInSeconds)
      tell(ctx, 'failed-logins', limits.failedLogins, usage)
    },
  }
}

function tell(ctx: Context, policy: Name, limit: number, { count, resetsInSeconds }: Usage): void {
  tellLimit(ctx, { policy, limit, windowInSeconds, left: Math.max(0, limit - count), resetsInSeconds })
}

function tooMany({ resetsInSeconds }: Usage): Problem {
  return new Problem('too_many_requests', 'Too many requests. Try again later.', {
    retryAfterInSeconds: resetsInSeconds,
  })
}
