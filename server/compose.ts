import Router from '@koa/router'
import Koa from 'koa'
import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { createAuthenticate } from './http/authenticate.ts'
import { type Demo, mountDemo } from './http/demo-pages.ts'
import { type AnyHandler, mount } from './http/mount.ts'
import { assets, mountPages } from './http/pages.ts'
import { type Log, noteUnsent, problems } from './http/problems.ts'
import { allowAnyOrigin, type HeaderSettings, setSecurityHeaders } from './http/security-headers.ts'
import type { StaticFiles } from './http/static-files.ts'
import { mountSwagger } from './http/swagger.ts'
import { handlersOf } from './roles.ts'
import type { Services } from './services.ts'

export interface Site {
  readonly headers: HeaderSettings
  readonly files: StaticFiles
  /** Absent where no demo is served. */
  readonly demo: Demo | undefined
  readonly log: Log
}

/** The host of some roles: their endpoints, and with the configuration role the pages. */
export function compose(roles: readonly Role[], services: Services, site: Site): Koa {
  const app = new Koa()
  const router = new Router({ sensitive: true, strict: true })
  mountEndpoints(router, roles, services)
  if (roles.includes('security')) mountKeys(router, services)
  if (roles.includes('configuration')) mountPages(router, site.files, site.headers)
  mountSwagger(router, roles, site.headers)
  mountDemo(router, site.demo, site.headers)
  app.use(async (ctx, next) => {
    setSecurityHeaders(ctx, 'api', site.headers)
    await next()
  })
  app.use(problems(site.log))
  app.use(assets(site.files, site.headers))
  app.use(router.routes())
  app.use(router.allowedMethods())
  app.on('error', (error: unknown) => noteUnsent(site.log, error))
  return app
}

/** Every endpoint once, also where several roles share it. */
function mountEndpoints(router: Router, roles: readonly Role[], services: Services): void {
  const authenticate = createAuthenticate(services.accounts, services.tokens)
  const handlers = handlersOf(services)
  const mounted = new Set<Endpoint>()
  for (const role of roles) {
    for (const [name, endpoint] of Object.entries<Endpoint>(catalogue[role])) {
      if (mounted.has(endpoint)) continue
      mounted.add(endpoint)
      const handler = (handlers[role] as Record<string, unknown>)[name] as AnyHandler
      mount(router, endpoint, handler, authenticate, role === 'verify')
    }
  }
}

function mountKeys(router: Router, { tokenKeys }: Services): void {
  router.get('/.well-known/jwks.json', async (ctx) => {
    allowAnyOrigin(ctx)
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.type = 'application/json'
    ctx.body = JSON.stringify(await tokenKeys.publicKeys())
  })
}
