import type { Context } from 'koa'
import type { RateCounter, Usage } from '#server/platform/store/rate-counter.ts'
import type { Endpoint, RateClass } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { tellLimit } from './limit-headers.ts'
import { networkOf } from './network.ts'

const windowInSeconds = 60

/** Limits per minute; undefined means no limit. */
export interface RateLimitSettings {
  /** A key's analyses, including those of bearer tokens it created. A large picture or one with many faces counts several times. */
  readonly analyses: number | undefined
  /** A key's other calls. */
  readonly requests: number | undefined
  /** Sessions that an address opens or takes over. This also limits how often codes can be guessed. */
  readonly inits: number | undefined
  /** Wrong credentials from an address. */
  readonly failedLogins: number | undefined
}

/** The part of an endpoint that determines how its calls are counted. */
type Counts = Pick<Endpoint, 'rate'>

/** The part of a caller that determines how its calls are counted. */
type CountedCaller =
  | { readonly kind: 'account'; readonly keyId: string }
  | { readonly kind: 'anonymous' | 'session' | 'kiosk' }

/** Limits per minute. Every response that counts towards one carries `RateLimit` and `RateLimit-Policy`. */
export interface RateLimits {
  /** Counts an identified caller's call. @throws {Problem} 429 if it exceeds the limit */
  countCall(ctx: Context, endpoint: Counts, caller: CountedCaller): Promise<void>
  /** Counts additional uses once a call's cost is known. They apply from the next call on. */
  chargeMore(ctx: Context, endpoint: Counts, caller: CountedCaller, uses: number): Promise<void>
  /** True for a key's first use within a minute, and always if session openings are not limited. */
  isFirstUse(key: string): Promise<boolean>
  /** @throws {Problem} 429 if the address sent too many wrong credentials; correct ones then have to wait as well */
  checkLogins(ctx: Context): Promise<void>
  noteFailedLogin(ctx: Context): Promise<void>
}

type Name = Exclude<RateClass, 'uncounted'> | 'failed-logins'

interface RateCount {
  readonly name: Name
  readonly limit: number
  readonly key: string
}

export function createRateLimits(counter: RateCounter, limits: RateLimitSettings): RateLimits {
  const loginKey = (ctx: Context) => `failed-logins|${networkOf(ctx.ip)}`

  /** The limit that a call counts towards, and its key; undefined if there is no limit. */
  function countedBy(ctx: Context, endpoint: Counts, caller: CountedCaller): RateCount | undefined {
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
