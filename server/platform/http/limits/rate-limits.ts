import type { Context } from 'koa'
import type { RateCounter, Usage } from '#server/platform/store/rate-counter.ts'
import type { Endpoint, RateClass } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'
import { tellLimit } from './limit-headers.ts'
import { networkOf } from './network.ts'

const windowInSeconds = 60

/** Limits per minute; undefined means no limit. */
export interface RateLimitSettings {
  /** Analyses of a key, including those of bearer tokens it created. A large picture or one with many faces counts as several. */
  readonly analyses: number | undefined
  /** All other calls of a key. */
  readonly requests: number | undefined
  /** Sessions that an address opens or takes over. Also limits how often codes can be guessed. */
  readonly inits: number | undefined
  /** Wrong credentials from an address. */
  readonly failedLogins: number | undefined
}

/** The part of an endpoint that its calls are counted by. */
type Counts = Pick<Endpoint, 'rate'>

/** The part of a caller that its calls are counted by. */
type Countable =
  | { readonly kind: 'account'; readonly keyId: string }
  | { readonly kind: 'anonymous' | 'session' | 'kiosk' }

/** Limits per minute. Every response that counts against one carries `RateLimit` and `RateLimit-Policy`. */
export interface RateLimits {
  /** Counts a call of an identified caller. @throws {Problem} 429 if it exceeds the limit */
  countCall(ctx: Context, endpoint: Counts, caller: Countable): Promise<void>
  /** Counts additional uses once the cost of a call is known. They apply from the next call on. */
  chargeMore(ctx: Context, endpoint: Counts, caller: Countable, uses: number): Promise<void>
  /** True for the first use of a key in a minute, and always if session openings are not limited. */
  isFirstUse(key: string): Promise<boolean>
  /** @throws {Problem} 429 if the address sent too many wrong credentials; correct ones have to wait as well */
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
