import type { Context, Middleware } from 'koa'
import { bodySharesOf } from '#server/app/serving/body-shares.ts'
import {
  type ErrorKind,
  errorPage,
  type IssuerRequest,
  mostRequestBytes,
  type Openid,
  type OpeningCounter,
  type Refusal,
  SignInOver,
  stylePath,
} from '#server/features/openid/openid.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { BodyRules } from '#server/platform/http/requests/body.ts'
import { readBytes, usualLeastRate } from '#server/platform/http/requests/body-bytes.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import { sendNoticeStyle } from '#server/platform/http/responses/notice-page.ts'
import { type HeaderSettings, setSecurityHeaders } from '#server/platform/http/responses/security-headers.ts'
import { answerOtherMethod } from '#server/platform/http/responses/unmatched.ts'
import type { ByteBudget } from '#server/platform/running/byte-budget.ts'
import { Problem } from '#shared/problem.ts'

const anybody = { kind: 'anonymous' } as const

/** The services between clients and the provider. */
interface Door {
  readonly openid: Openid
  readonly limits: RateLimits
  readonly headers: HeaderSettings
  readonly budget: ByteBudget
  readonly bodies?: BodyRules
}

/** Serves the OpenID provider: the library's responses, and the redirects that take a person to the visit and back. */
export function mountOpenid(door: Door): Middleware {
  const { openid, headers } = door
  return async (ctx, next) => {
    if (openid.isOn && ctx.path === stylePath && ctx.method === 'GET')
      return sendNoticeStyle(ctx, 'signIn', headers)
    const located = openid.locate(ctx.path)
    if (located === undefined) return next()
    const state = ctx.state as RequestState
    state.route = located.route
    if (located.kind === 'provider') return toProvider(ctx, located, door)
    if (ctx.method !== 'GET') return answerOtherMethod(ctx, ['GET'])
    await asPage(ctx, headers, () => lead(ctx, located, door))
  }
}

/** [Note: The library answers] The library writes to the response itself. This code applies limits, methods and headers around it. */
async function toProvider(
  ctx: Context,
  located: Extract<IssuerRequest, { kind: 'provider' }>,
  door: Door,
): Promise<void> {
  const { openid, limits, headers } = door
  const { methods, environment, takesSecrets: hasSecret, isOfBrowser: isPage } = located
  if (ctx.method !== 'OPTIONS' && !methods.includes(ctx.method)) return answerOtherMethod(ctx, methods)
  const prepare = async () => {
    if (hasSecret) await limits.checkLogins(ctx)
    await limits.countCall(ctx, { rate: 'requests' }, anybody)
    const body = await readBody(ctx, door)
    return { body, handOver: await openid.prepare(environment) }
  }
  if (isPage) setSecurityHeaders(ctx, 'signIn', headers)
  const answer = isPage ? await asPage(ctx, headers, prepare) : await prepare()
  if (answer === undefined) return
  ctx.set('Cache-Control', 'no-store')
  // From here on, the library has sole control of the response, so everything that may fail comes first.
  ctx.respond = false
  const { body, handOver } = answer
  const noteRefusal = (refusal: Refusal) => note(ctx, refusal)
  await handOver({ req: ctx.req, res: ctx.res, body, counter: counterOf(ctx, limits), noteRefusal })
  if (hasSecret && ctx.res.statusCode === 401) await limits.noteFailedLogin(ctx)
}

/** @returns undefined for a request without a body @throws {Problem} 408, 413 or 503 */
async function readBody(ctx: Context, { budget, bodies }: Door): Promise<Buffer | undefined> {
  const limitInBytes = mostRequestBytes - Buffer.byteLength(ctx.url)
  if (limitInBytes < 0) throw tooLong()
  if (ctx.method !== 'POST') return undefined
  const lease = budget.open(bodySharesOf({ kind: 'anonymous', address: ctx.ip }, budget))
  try {
    const leastRate = bodies?.leastRate ?? usualLeastRate
    return await readBytes(ctx.req, { limitInBytes, lease, leastRate })
  } catch (error) {
    throw error instanceof Problem && error.code === 'body_too_large' ? tooLong() : error
  } finally {
    lease.free()
  }
}

function tooLong(): Problem {
  const most = mostRequestBytes / 1024
  return new Problem(
    'body_too_large',
    `The address and the body of a request may have at most ${most} kB together.`,
  )
}

function counterOf(ctx: Context, limits: RateLimits): OpeningCounter {
  return {
    countOpening: () => limits.countCall(ctx, { rate: 'inits' }, anybody),
    countPush: (clientId) =>
      limits.countCall(ctx, { rate: 'requests' }, { kind: 'account', keyId: clientId }),
    isFirstUse: (pushedId) => limits.isFirstUse(`openid-pushed|${pushedId}`),
  }
}

/** Redirects the browser to the visit, or back from it. */
async function lead(
  ctx: Context,
  { kind, environment }: IssuerRequest,
  { openid, limits, headers }: Door,
): Promise<void> {
  // This does not count as an opening, because the sign-in was counted as one and has only one session.
  await limits.countCall(ctx, { rate: 'requests' }, anybody)
  setSecurityHeaders(ctx, 'signIn', headers)
  const { req, res, ip: address } = ctx
  const target = await openid[kind === 'visit' ? 'begin' : 'end'](environment, { req, res, address })
  ctx.set('Cache-Control', 'no-store')
  ctx.status = 303
  ctx.redirect(target)
  ctx.body = ''
}

/** Shows a person a page instead of a problem. @returns undefined if it did */
async function asPage<T>(
  ctx: Context,
  headers: HeaderSettings,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    const shown = shownAs(error)
    if (shown === undefined) throw error
    note(ctx, shown)
    setSecurityHeaders(ctx, 'signIn', headers)
    ctx.set('Cache-Control', 'no-store')
    if (shown.retryAfterInSeconds !== undefined) ctx.set('Retry-After', String(shown.retryAfterInSeconds))
    ctx.status = shown.status
    ctx.type = 'html'
    ctx.body = errorPage(shown.kind, shown, ctx.acceptsLanguages())
    return undefined
  }
}

/** Passes the refusal on to the log. */
function note(ctx: Context, { code, description }: Refusal): void {
  const state = ctx.state as RequestState
  state.code = code
  if (description !== undefined) state.description = description
}

interface ShownRefusal extends Refusal {
  readonly kind: ErrorKind
  readonly status: number
  readonly retryAfterInSeconds?: number | undefined
}

/** Undefined for unexpected errors. */
function shownAs(error: unknown): ShownRefusal | undefined {
  if (error instanceof Problem) {
    const { status, code, detail: description, retryAfterInSeconds } = error
    return { kind: status === 429 ? 'tooMany' : 'refused', status, code, description, retryAfterInSeconds }
  }
  if (!(error instanceof SignInOver)) return undefined
  return { kind: 'expired', status: 400, code: error.code, description: error.message }
}
