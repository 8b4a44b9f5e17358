import type { Context, Middleware } from 'koa'
import {
  type ErrorKind,
  errorPage,
  errorStyle,
  type Located,
  type Openid,
} from '#server/features/openid/openid.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { RequestState } from '#server/platform/http/requests/request-record.ts'
import { type HeaderSettings, setSecurityHeaders } from '#server/platform/http/responses/security-headers.ts'
import { answerOtherMethod } from '#server/platform/http/responses/unmatched.ts'
import { Problem } from '#shared/problem.ts'

const anybody = { kind: 'anonymous' } as const
const stylePath = '/openid/style.css'

/** Serves the OpenID provider: what the library answers, and the way of a person to the page of the visit and back. */
export function mountOpenid(openid: Openid, limits: RateLimits, headers: HeaderSettings): Middleware {
  return async (ctx, next) => {
    if (openid.isOn && ctx.path === stylePath && ctx.method === 'GET') return sendStyle(ctx, headers)
    const located = openid.locate(ctx.path)
    if (located === undefined) return next()
    const state = ctx.state as RequestState
    state.route = located.route
    if (located.kind === 'provider') return toProvider(ctx, located, openid, limits, headers)
    if (ctx.method !== 'GET') return answerOtherMethod(ctx, ['GET'])
    await asPage(ctx, headers, () => lead(ctx, located, openid, limits))
  }
}

function sendStyle(ctx: Context, headers: HeaderSettings): void {
  setSecurityHeaders(ctx, 'notice', headers)
  ctx.set('Cache-Control', 'public, max-age=3600')
  ctx.type = 'css'
  ctx.body = errorStyle
}

/** [Note: The library answers] It writes to the response itself; ours is the door: limits, methods and headers. */
async function toProvider(
  ctx: Context,
  located: Extract<Located, { kind: 'provider' }>,
  openid: Openid,
  limits: RateLimits,
  headers: HeaderSettings,
): Promise<void> {
  const { methods, environment, takesSecrets: hasSecret, isOfBrowser: isPage } = located
  if (ctx.method !== 'OPTIONS' && !methods.includes(ctx.method)) return answerOtherMethod(ctx, methods)
  const prepare = async () => {
    if (hasSecret) await limits.checkLogins(ctx)
    await limits.countCall(ctx, { rate: 'requests' }, anybody)
    return openid.prepare(environment)
  }
  if (isPage) setSecurityHeaders(ctx, 'notice', headers)
  const answer = isPage ? await asPage(ctx, headers, prepare) : await prepare()
  if (answer === undefined) return
  ctx.set('Cache-Control', 'no-store')
  // From here on nobody else answers: what may fail before it is done.
  ctx.respond = false
  await answer(ctx.req, ctx.res)
  if (hasSecret && ctx.res.statusCode === 401) await limits.noteFailedLogin(ctx)
}

/** Leads the browser to the visit, or back from it. */
async function lead(
  ctx: Context,
  { kind, environment }: Located,
  openid: Openid,
  limits: RateLimits,
): Promise<void> {
  // Opening a session counts as one, as it does by a link.
  await limits.countCall(ctx, { rate: kind === 'visit' ? 'inits' : 'requests' }, anybody)
  const { req, res, ip: address } = ctx
  const target = await openid[kind === 'visit' ? 'begin' : 'end'](environment, { req, res, address })
  ctx.set('Cache-Control', 'no-store')
  ctx.status = 303
  ctx.redirect(target)
  ctx.body = ''
}

/** Shows a person a page where a program would get a problem. @returns undefined where it did */
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
    setSecurityHeaders(ctx, 'notice', headers)
    ctx.set('Cache-Control', 'no-store')
    if (shown.retryAfterInSeconds !== undefined) ctx.set('Retry-After', String(shown.retryAfterInSeconds))
    ctx.status = shown.status
    ctx.type = 'html'
    ctx.body = errorPage(shown.kind, shown.code, ctx.acceptsLanguages())
    return undefined
  }
}

interface Shown {
  readonly kind: ErrorKind
  readonly status: number
  readonly code: string
  readonly retryAfterInSeconds?: number | undefined
}

/** Undefined for what nobody expected. */
function shownAs(error: unknown): Shown | undefined {
  if (error instanceof Problem) {
    const { status, code, retryAfterInSeconds } = error
    return { kind: status === 429 ? 'tooMany' : 'refused', status, code, retryAfterInSeconds }
  }
  // The browser began no such sign-in, or it took too long.
  const isUnknown = error instanceof Error && error.name === 'SessionNotFound'
  return isUnknown ? { kind: 'expired', status: 400, code: 'invalid_request' } : undefined
}
