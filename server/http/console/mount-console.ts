import { createOnce } from '#server/http/idempotency/once.ts'
import { createAdmission } from '#server/http/limits/admission.ts'
import type { RateLimits } from '#server/http/limits/rate-limits.ts'
import { type AnyHandler, type Serving, serveEndpoint } from '#server/http/mount.ts'
import type { createEndpointRoutes } from '#server/http/requests/endpoint-routes.ts'
import { handlersOf } from '#server/roles.ts'
import type { Services } from '#server/wiring.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { consoleBasePath } from '#shared/contract/console/console-paths.ts'
import { consolePermissions } from '#shared/contract/console/console-permissions.ts'
import { operatorRoles, type Permission, permissions } from '#shared/contract/console/operator-roles.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { type Asking, createConsoleAuthenticate } from './console-authenticate.ts'
import { createConsoleCookie } from './console-cookie.ts'
import { mountEvents } from './console-events.ts'

/** Changes of an account's people and of how they get in, which are recorded as those of its endpoints are. */
const recorded: ReadonlySet<string> = new Set([
  'addPasskey',
  'renamePasskey',
  'removePasskey',
  'invitePerson',
  'withdrawInvitation',
  'changeRole',
  'removePerson',
])

const everybody: Permission = { roles: operatorRoles, isDangerous: false }

type Shared = Pick<Serving, 'budget' | 'bodies'> & { readonly limits: RateLimits }
type Routes = ReturnType<typeof createEndpointRoutes>

/**
 * Mounts the calls of the console: its own, and each endpoint that an account's credential opens, with the role of a person in the place of
 * a key. [Note: No back door] Validation, handler, limits and record are those of the public endpoint.
 */
export function mountConsole(routes: Routes, services: Services, shared: Shared): void {
  const { console, accounts, now } = services
  const cookie = createConsoleCookie(() => console.origin().startsWith('https:'))
  const admitFor = (asking: Asking) =>
    createAdmission(createConsoleAuthenticate({ console, accounts, cookie, now }, asking), shared.limits)

  mountEvents(routes, console, admitFor({ permission: everybody, isOwn: false, isOfPerson: false }))
  for (const [name, endpoint] of Object.entries<Endpoint>(consoleCatalogue)) {
    const permission = (consolePermissions as Readonly<Record<string, Permission>>)[name]
    const handler = (console.handlers as Readonly<Record<string, unknown>>)[name] as AnyHandler
    const handle = recorded.has(name) ? services.audit.watch(name, endpoint, handler) : handler
    const admit = admitFor({ permission, isOwn: true })
    routes.add(
      endpoint,
      serveEndpoint(endpoint, handle, { ...shared, admit, role: 'configuration', once: undefined }),
    )
  }
  const handlers = handlersOf(services)
  for (const role of Object.keys(catalogue) as Role[]) {
    for (const [name, endpoint] of Object.entries<Endpoint>(catalogue[role])) {
      const permission = (permissions as Readonly<Record<string, Permission>>)[name]
      if (permission === undefined) continue
      const here = { ...endpoint, path: consoleBasePath + endpoint.path }
      const handler = (handlers[role] as Readonly<Record<string, unknown>>)[name] as AnyHandler
      const once = createOnce(endpoint, services.keptAnswers, services.onFailure)
      const serving = { ...shared, admit: admitFor({ permission, isOwn: false }), role, once }
      routes.add(here, serveEndpoint(here, services.audit.watch(name, endpoint, handler), serving))
    }
  }
}
