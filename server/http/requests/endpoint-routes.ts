import type Router from '@koa/router'
import type { Middleware } from 'koa'
import type { Serve } from '#server/http/mount.ts'
import type { Endpoint } from '#shared/endpoint.ts'

/**
 * [Note: Endpoints are looked up] Their paths are fixed, so one look-up finds the endpoint, however many there are; the
 * router would try one after the other. It knows them too, and sees what the look-up leaves: other methods and pages.
 */
export function createEndpointRoutes(router: Router) {
  const found = new Map<string, Serve>()
  const lookUp: Middleware = (ctx, next) => {
    const serve = found.get(`${ctx.req.method} ${ctx.request.path}`)
    return serve === undefined ? next() : serve(ctx)
  }
  return {
    lookUp,
    add({ method, path }: Endpoint, serve: Serve): void {
      found.set(`${method} ${path}`, serve)
      router.register(path, [method], serve)
    },
  }
}
