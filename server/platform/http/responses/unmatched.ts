import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { nearPath } from '#shared/near-name.ts'
import { Problem } from '#shared/problem.ts'
import { notFoundPage } from './not-found-page.ts'
import { type HeaderSettings, setSecurityHeaders } from './security-headers.ts'

type RoutedContext = Context & { matched?: readonly { methods: readonly string[] }[] }

/** The methods that routers serve at each path that has no parameters. */
type ServedPaths = ReadonlyMap<string, readonly string[]>

/**
 * Answers a request that did not match any route: 405 if only the method is wrong, otherwise 404 with the address that was
 * probably intended, or a page if a browser requested one.
 */
export function answerUnmatched(routers: readonly Router[], settings: HeaderSettings): Middleware {
  const served = servedPaths(routers)
  return (ctx: RoutedContext) => {
    const methods = new Set(ctx.matched?.flatMap((route) => route.methods))
    if (methods.size > 0) return answerOtherMethod(ctx, [...methods])
    ctx.vary('Accept')
    if (!isForPeople(ctx))
      throw new Problem('not_found', `This address does not exist.${hintFor(ctx, served)}`)
    setSecurityHeaders(ctx, 'notice', settings)
    ctx.set('Cache-Control', 'no-store')
    ctx.status = 404
    ctx.type = 'html'
    ctx.body = notFoundPage((languages) => ctx.acceptsLanguages(...languages))
  }
}

/** Answers a method that is not served: OPTIONS with the list of methods. @throws {Problem} 405 for all other methods */
export function answerOtherMethod(ctx: Context, methods: readonly string[]): void {
  ctx.set('Allow', [...methods, 'OPTIONS'].join(', '))
  if (ctx.method !== 'OPTIONS')
    throw new Problem('method_not_allowed', 'This address does not accept this method.')
  ctx.status = 204
}

function servedPaths(routers: readonly Router[]): ServedPaths {
  const served = new Map<string, string[]>()
  for (const { path, methods } of routers.flatMap(({ stack }) => stack)) {
    // A path with a trailing slash only redirects to the path without one.
    if (typeof path !== 'string' || /[:*{]|.\/$/.test(path)) continue
    served.set(path, [...(served.get(path) ?? []), ...methods.filter((method) => method !== 'HEAD')])
  }
  return served
}

/** [Note: Ours] Browsers accept `text/html` and the wildcard. A program that accepts anything, or JSON besides HTML, gets the problem. */
function isForPeople({ method, headers }: Context): boolean {
  const accept = headers.accept?.toLowerCase() ?? ''
  const types = accept.split(',').map((type) => type.split(';')[0]!.trim())
  const isForPrograms = types.includes('application/json') || types.includes('application/problem+json')
  return (method === 'GET' || method === 'HEAD') && types.includes('text/html') && !isForPrograms
}

function hintFor({ path, method }: Context, served: ServedPaths): string {
  const near = nearPath(path, [...served.keys()])
  if (near === undefined) return ''
  const methods = served.get(near)!
  return ` Did you mean ${methods.includes(method) ? method : methods[0]} ${near}?`
}
