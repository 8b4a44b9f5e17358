import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Endpoint } from '#shared/endpoint.ts'

/** Answers the requests of one endpoint. */
export type Serve = (ctx: Context) => Promise<void>

/** What answers the requests of an endpoint. */
export interface Found {
  readonly serve: Serve
  /** It writes the whole head of its answer. */
  readonly writesHead: boolean
}

/**
 * [Note: Endpoints are looked up] Their paths are fixed, so one look-up finds the endpoint, however many there are; the
 * router would try one after the other. It knows them too, and sees what the look-up leaves: other methods and pages.
 */
export function createEndpointRoutes(router: Router) {
  const byMethod = new Map<string | undefined, Map<string, Found>>()
  return {
    /** What answers a request; undefined where that is no endpoint's. */
    find: ({ req, request }: Context) => byMethod.get(req.method)?.get(request.path),
    add({ method, path }: Endpoint, serve: Serve, writesHead = false): void {
      const byPath = byMethod.get(method) ?? new Map<string, Found>()
      byMethod.set(method, byPath.set(path, { serve, writesHead }))
      router.register(path, [method], serve)
    },
  }
}
