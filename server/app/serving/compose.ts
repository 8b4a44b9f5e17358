import Router from '@koa/router'
import Koa from 'koa'
import type { Services } from '#server/app/compose.ts'
import { createOnce } from '#server/features/idempotency/idempotency.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import type { BodyRules } from '#server/platform/http/requests/body.ts'
import { type Observe, recordRequests } from '#server/platform/http/requests/request-record.ts'
import { traceRequests } from '#server/platform/http/requests/request-trace.ts'
import { answersTogether } from '#server/platform/http/responses/answers-together.ts'
import { crossOrigin } from '#server/platform/http/responses/cross-origin.ts'
import { type Documents, mountDocuments } from '#server/platform/http/responses/documents.ts'
import { noticeStylePath } from '#server/platform/http/responses/not-found-page.ts'
import { sendNoticeStyle } from '#server/platform/http/responses/notice-page.ts'
import { type Log, noteUnsent, problems } from '#server/platform/http/responses/problems.ts'
import {
  allowAnyOrigin,
  type HeaderSettings,
  securityHeaders,
} from '#server/platform/http/responses/security-headers.ts'
import type { StaticFiles } from '#server/platform/http/responses/static-files.ts'
import { mountSwagger } from '#server/platform/http/responses/swagger.ts'
import { answerUnmatched } from '#server/platform/http/responses/unmatched.ts'
import type { ByteBudget } from '#server/platform/running/byte-budget.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { createAdmission } from './admission.ts'
import { createAuthenticate } from './authenticate.ts'
import { mountConsolePage } from './console/console-page.ts'
import { mountConsole } from './console/mount-console.ts'
import { type EndpointServices, serveEndpoint } from './mount.ts'
import { mountOpenid } from './openid/mount-openid.ts'
import { operationsOf } from './operations.ts'
import { type Demo, mountDemo } from './pages/demo-pages.ts'
import { mountLogos } from './pages/logo-pictures.ts'
import { type MetricsPage, mountMetrics } from './pages/metrics-page.ts'
import { assets, mountPages } from './pages/pages.ts'

export interface Site {
  readonly headers: HeaderSettings
  readonly files: StaticFiles
  /** Absent if no demo is served. */
  readonly demo: Demo | undefined
  /** Absent if none are served. */
  readonly documents?: Documents
  readonly log: Log
  readonly observe: Observe
  readonly metrics: MetricsPage
  readonly limits: RateLimits
  /** The bytes of all requests and responses in memory at any one time. */
  readonly budget: ByteBudget
  /** Uses the defaults if absent. */
  readonly bodies?: BodyRules
  /** Pages from these origins may call the analysis roles and verify; `*` allows any origin. */
  readonly corsOrigins: readonly string[]
  /** The number of proxies in front that write X-Forwarded-For; 0 ignores the header. */
  readonly trustedProxies: number
}

/** The application for some roles: their endpoints and, with the configuration role, the pages. */
export function compose(roles: readonly Role[], services: Services, site: Site): Koa {
  const app = new Koa({ proxy: site.trustedProxies > 0, maxIpsCount: site.trustedProxies })
  app.use(
    recordRequests((record) => {
      site.observe(record)
      services.requestLog.note(record)
    }),
  )
  app.use(answersTogether)
  app.use(traceRequests)
  const usual = securityHeaders('api', site.headers)
  app.use((ctx, next) => {
    ctx.set(usual)
    return next()
  })
  app.use(problems(site.log))
  app.use(crossOrigin(roles.flatMap(endpointsForPages), site.corsOrigins))
  const routers = mountRoles(app, roles, services, site)
  app.use(answerUnmatched(routers, site.headers))
  app.on('error', (error: unknown) => noteUnsent(site.log, error))
  return app
}

/**
 * Mounts a router for each role's endpoints, one for the console and one for the pages.
 * @returns the routers with addresses that integrators and visitors use
 */
function mountRoles(app: Koa, roles: readonly Role[], services: Services, site: Site): readonly Router[] {
  const { limits, budget, bodies } = site
  const admit = createAdmission(createAuthenticate(services), limits)
  const shared = { admit, limits, budget, ...(bodies && { bodies }) }
  const endpoints = createRouter()
  mountEndpoints(endpoints, roles, services, shared)
  app.use(endpoints.routes())
  const pages = createRouter()
  if (roles.includes('configuration')) {
    const consoleCalls = createRouter()
    mountConsole(consoleCalls, services, shared)
    app.use(assets(site.files, site.headers)).use(consoleCalls.routes())
    app.use(mountOpenid({ openid: services.openid, headers: site.headers, ...shared }))
    mountPages(pages, site.files, site.headers, services.framingOf)
    mountConsolePage(pages, site.files, site.headers, services.console.origin)
    mountLogos(pages, services.logos)
    mountDemo(pages, site.demo, site.files, site.headers)
  }
  mountMetrics(pages, site.metrics, admit)
  if (roles.includes('security')) mountKeys(pages, services)
  mountSwagger(pages, roles, site.headers)
  mountDocuments(pages, site.documents ?? new Map())
  pages.get(noticeStylePath, (ctx) => sendNoticeStyle(ctx, 'notice', site.headers))
  app.use(pages.routes())
  return [endpoints, pages]
}

function createRouter(): Router {
  return new Router({ sensitive: true, strict: true })
}

type SharedServices = Pick<EndpointServices, 'admit' | 'budget' | 'bodies'> & Pick<Site, 'limits'>

function mountEndpoints(
  router: Router,
  roles: readonly Role[],
  services: Services,
  shared: SharedServices,
): void {
  for (const { role, name, endpoint, handler, permit } of operationsOf(roles, services)) {
    const notifying = services.ownerNotices.watch(name, endpoint, handler)
    const handle = services.audit.watch(name, endpoint, notifying)
    const asked = permit && services.audit.watchRefusals(name, endpoint, permit)
    const once = createOnce(endpoint, services.keptAnswers, services.onFailure)
    const serve = serveEndpoint(endpoint, handle, { ...shared, role, once, permit: asked })
    router.register(endpoint.path, [endpoint.method], serve)
  }
}

/**
 * Endpoints that pages from other origins may call. Excludes the two roles that only servers call, and endpoints that any
 * page may read anyway.
 */
function endpointsForPages(role: Role): Endpoint[] {
  if (role === 'configuration' || role === 'security') return []
  return Object.values<Endpoint>(catalogue[role]).filter(({ auth }) => auth !== 'none')
}

function mountKeys(router: Router, { tokenKeys }: Services): void {
  router.get('/.well-known/jwks.json', async (ctx) => {
    allowAnyOrigin(ctx)
    ctx.set('Cache-Control', 'public, max-age=300')
    ctx.type = 'application/json'
    ctx.body = JSON.stringify(await tokenKeys.publicKeys())
  })
}
