import Router from '@koa/router'
import Koa from 'koa'
import type { Services } from '#server/app/compose.ts'
import { createOnce } from '#server/features/idempotency/idempotency.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { BodyRules } from '#server/platform/http/requests/body.ts'
import { type Observe, recordRequests } from '#server/platform/http/requests/request-record.ts'
import { traceRequests } from '#server/platform/http/requests/request-trace.ts'
import { crossOrigin } from '#server/platform/http/responses/cross-origin.ts'
import { type Documents, mountDocuments } from '#server/platform/http/responses/documents.ts'
import { type Log, noteUnsent, problems } from '#server/platform/http/responses/problems.ts'
import {
  allowAnyOrigin,
  type HeaderSettings,
  setSecurityHeaders,
} from '#server/platform/http/responses/security-headers.ts'
import type { StaticFiles } from '#server/platform/http/responses/static-files.ts'
import { mountSwagger } from '#server/platform/http/responses/swagger.ts'
import { unmatched } from '#server/platform/http/responses/unmatched.ts'
import type { ByteBudget } from '#server/platform/running/byte-budget.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { healthz, readyz } from '#shared/contract/health.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { createAdmission } from './admission.ts'
import { createAuthenticate } from './authenticate.ts'
import { mountConsolePage } from './console/console-page.ts'
import { mountConsole } from './console/mount-console.ts'
import { type AnyHandler, serveEndpoint } from './mount.ts'
import { type Demo, mountDemo } from './pages/demo-pages.ts'
import { mountLogos } from './pages/logo-pictures.ts'
import { type MetricsPage, mountMetrics } from './pages/metrics-page.ts'
import { assets, mountPages } from './pages/pages.ts'
import { permitsOf } from './permits.ts'
import { handlersOf } from './roles.ts'

export interface Site {
  readonly headers: HeaderSettings
  readonly files: StaticFiles
  /** Absent where no demo is served. */
  readonly demo: Demo | undefined
  /** Absent where none are served. */
  readonly documents?: Documents
  readonly log: Log
  readonly observe: Observe
  readonly metrics: MetricsPage
  readonly limits: RateLimits
  /** The bytes of requests and answers that are held at once. */
  readonly budget: ByteBudget
  /** The usual ones where absent. */
  readonly bodies?: BodyRules
  /** Pages of these origins may call the analysis roles and verify; `*` stands for any. */
  readonly corsOrigins: readonly string[]
  /** How many proxies in front write X-Forwarded-For; 0 does not read it. */
  readonly trustedProxies: number
}

/** The host of some roles: their endpoints, and with the configuration role the pages. Nothing else. */
export function compose(roles: readonly Role[], services: Services, site: Site): Koa {
  const app = new Koa({ proxy: site.trustedProxies > 0, maxIpsCount: site.trustedProxies })
  const router = new Router({ sensitive: true, strict: true })
  mountRoles(router, roles, services, site)
  app.use(
    recordRequests((record) => {
      site.observe(record)
      services.requestLog.note(record)
    }),
  )
  app.use(traceRequests)
  app.use((ctx, next) => {
    setSecurityHeaders(ctx, 'api', site.headers)
    return next()
  })
  app.use(problems(site.log))
  app.use(crossOrigin(roles.flatMap(endpointsForPages), site.corsOrigins))
  if (roles.includes('configuration')) app.use(assets(site.files, site.headers))
  app.use(router.routes())
  app.use(unmatched)
  app.on('error', (error: unknown) => noteUnsent(site.log, error))
  return app
}

function mountRoles(router: Router, roles: readonly Role[], services: Services, site: Site): void {
  mountEndpoints(router, roles, services, site)
  if (roles.includes('security')) mountKeys(router, services)
  mountSwagger(router, roles, site.headers)
  mountDocuments(router, site.documents ?? new Map())
  if (!roles.includes('configuration')) return
  mountPages(router, site.files, site.headers, services.embedOriginsOf)
  mountConsolePage(router, site.files, site.headers, services.console.origin)
  mountLogos(router, services.logos)
  mountDemo(router, site.demo, site.headers)
}

/** Every endpoint once, also where several roles share it. */
function mountEndpoints(router: Router, roles: readonly Role[], services: Services, site: Site): void {
  const authenticate = createAuthenticate(services)
  const admit = createAdmission(authenticate, site.limits)
  const { limits, budget, bodies } = site
  const shared = { admit, limits, budget, ...(bodies && { bodies }) }
  const handlers = handlersOf(services)
  const permits = permitsOf(services)
  const mounted = new Set<Endpoint>()
  for (const role of roles) {
    for (const [name, endpoint] of Object.entries<Endpoint>(catalogue[role])) {
      if (mounted.has(endpoint)) continue
      mounted.add(endpoint)
      const handler = (handlers[role] as Record<string, unknown>)[name] as AnyHandler
      const recorded = services.audit.watch(
        name,
        endpoint,
        services.ownerNotices.watch(name, endpoint, handler),
      )
      const permit = permits[name] && services.audit.watchRefusals(name, endpoint, permits[name])
      const once = createOnce(endpoint, services.keptAnswers, services.onFailure)
      const serve = serveEndpoint(endpoint, recorded, { ...shared, role, once, permit })
      router.register(endpoint.path, [endpoint.method], serve)
    }
  }
  if (roles.includes('configuration')) mountConsole(router, services, shared)
  mountMetrics(router, site.metrics, admit)
}

/** What pages of other origins may call: nothing of the two roles that only servers call. */
function endpointsForPages(role: Role): Endpoint[] {
  if (role === 'configuration' || role === 'security') return []
  return Object.values<Endpoint>(catalogue[role]).filter(
    (endpoint) => endpoint !== healthz && endpoint !== readyz,
  )
}

function mountKeys(router: Router, { tokenKeys }: Services): void {
  router.get('/.well-known/jwks.json', async (ctx) => {
    allowAnyOrigin(ctx)
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.type = 'application/json'
    ctx.body = JSON.stringify(await tokenKeys.publicKeys())
  })
}
