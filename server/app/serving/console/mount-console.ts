import type Router from '@koa/router'
import type { Services } from '#server/app/compose.ts'
import { createAdmission } from '#server/app/serving/admission.ts'
import { type AnyHandler, type EndpointServices, serveEndpoint } from '#server/app/serving/mount.ts'
import { operationsOf } from '#server/app/serving/operations.ts'
import { createOnce } from '#server/features/idempotency/idempotency.ts'
import type { Console, ConsoleCaller } from '#server/features/operators/operators.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { consoleBasePath } from '#shared/contract/console/console-paths.ts'
import { watchSessions } from '#shared/contract/console/events.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
import { type CallerRequirements, createConsoleAuthenticate } from './console-authenticate.ts'
import { createConsoleCookie } from './console-cookie.ts'
import { mountEvents } from './console-events.ts'

const everyRole = Object.keys(hosts) as Role[]

const permitted: AnyHandler = async () => undefined

type SharedServices = Pick<EndpointServices, 'budget' | 'bodies'> & { readonly limits: RateLimits }

/**
 * Mounts the console's calls: its own, and each endpoint that an account's credential opens, authorised by the operator's
 * role instead of a key. [Note: No back door] Validation, handler, limits and audit record are the same as for the
 * public endpoint.
 */
export function mountConsole(router: Router, services: Services, shared: SharedServices): void {
  const { console, accounts, now } = services
  const cookie = createConsoleCookie(() => console.origin().startsWith('https:'))
  // [Note: Nobody guesses a cookie] Wrong API keys from the operator's address must not lock the console.
  const limits = { ...shared.limits, checkLogins: async () => {} }
  const admitFor = (asking: CallerRequirements) =>
    createAdmission(createConsoleAuthenticate({ console, accounts, cookie, now }, asking), limits)

  mountEvents(
    router,
    console,
    admitFor({ permission: watchSessions.console, isOwn: false, isOfPerson: false }),
  )
  for (const [name, endpoint] of Object.entries<Endpoint>(consoleCatalogue)) {
    const handler = (console.handlers as Readonly<Record<string, unknown>>)[name] as AnyHandler
    // Calls about the account, as opposed to just the operator, are recorded like changes through its endpoints.
    const isOfAccount = endpoint.audit === 'recorded'
    const handle = isOfAccount
      ? services.audit.watch(name, endpoint, stillAllowed(console, endpoint, handler))
      : handler
    const admit = admitFor({ permission: endpoint.console, isOwn: true, isOfAccount })
    const serving = { ...shared, admit, role: 'configuration', once: undefined } as const
    router.register(endpoint.path, [endpoint.method], serveEndpoint(endpoint, handle, serving))
  }
  for (const { role, name, endpoint, handler, permit = permitted } of operationsOf(everyRole, services)) {
    const { console: permission } = endpoint
    if (permission === undefined) continue
    const here = { ...endpoint, path: consoleBasePath + endpoint.path }
    const once = createOnce(endpoint, services.keptAnswers, services.onFailure)
    const asked = services.audit.watchRefusals(name, endpoint, stillAllowed(console, endpoint, permit))
    const serving = { ...shared, admit: admitFor({ permission, isOwn: false }), role, once, permit: asked }
    const notifying = services.ownerNotices.watch(name, endpoint, handler)
    const handle = services.audit.watch(name, endpoint, stillAllowed(console, endpoint, notifying))
    router.register(here.path, [here.method], serveEndpoint(here, handle, serving))
  }
}

/**
 * [Note: Asked once more] Permission is checked before the body is read. Checking it again afterwards stops a caller who
 * delays the body until the role has been withdrawn.
 */
function stillAllowed(
  { signIns }: Pick<Console, 'signIns'>,
  { body }: Endpoint,
  handler: AnyHandler,
): AnyHandler {
  if (body === undefined) return handler
  return async (request) => {
    if (await signIns.isStill((request.caller as ConsoleCaller).known)) return handler(request)
    throw new Problem('forbidden', 'Your permissions changed while this was being sent.')
  }
}
