import type Router from '@koa/router'
import { createAdmission } from '#server/app/serving/admission.ts'
import { type AnyHandler, type Serving, serveEndpoint } from '#server/app/serving/mount.ts'
import { permitsOf } from '#server/app/serving/permits.ts'
import { handlersOf } from '#server/app/serving/roles.ts'
import type { Services } from '#server/app/wiring.ts'
import { createOnce } from '#server/features/idempotency/once.ts'
import type { ConsoleCaller } from '#server/features/operators/console-caller.ts'
import type { Console } from '#server/features/operators/create-console.ts'
import type { RateLimits } from '#server/platform/http/limits/rate-limits.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { consoleBasePath } from '#shared/contract/console/console-paths.ts'
import { consolePermissions } from '#shared/contract/console/console-permissions.ts'
import { operatorRoles, type Permission, permissions } from '#shared/contract/console/operator-roles.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import { Problem } from '#shared/problem.ts'
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

const permitted: AnyHandler = async () => undefined

const everybody: Permission = { roles: operatorRoles, isDangerous: false }

type Shared = Pick<Serving, 'budget' | 'bodies'> & { readonly limits: RateLimits }

/**
 * Mounts the calls of the console: its own, and each endpoint that an account's credential opens, with the role of a person in the place of
 * a key. [Note: No back door] Validation, handler, limits and record are those of the public endpoint.
 */
export function mountConsole(router: Router, services: Services, shared: Shared): void {
  const { console, accounts, now } = services
  const cookie = createConsoleCookie(() => console.origin().startsWith('https:'))
  // [Note: Nobody guesses a cookie] Wrong keys that come from their address shut nobody out of the console.
  const limits = { ...shared.limits, checkLogins: async () => {} }
  const admitFor = (asking: Asking) =>
    createAdmission(createConsoleAuthenticate({ console, accounts, cookie, now }, asking), limits)

  mountEvents(router, console, admitFor({ permission: everybody, isOwn: false, isOfPerson: false }))
  for (const [name, endpoint] of Object.entries<Endpoint>(consoleCatalogue)) {
    const permission = (consolePermissions as Readonly<Record<string, Permission>>)[name]
    const handler = (console.handlers as Readonly<Record<string, unknown>>)[name] as AnyHandler
    const isOfAccount = recorded.has(name)
    const handle = isOfAccount
      ? services.audit.watch(name, endpoint, stillAllowed(console, endpoint, handler))
      : handler
    const admit = admitFor({ permission, isOwn: true, isOfAccount })
    const serving = { ...shared, admit, role: 'configuration', once: undefined } as const
    router.register(endpoint.path, [endpoint.method], serveEndpoint(endpoint, handle, serving))
  }
  const handlers = handlersOf(services)
  const permits = permitsOf(services)
  for (const role of Object.keys(catalogue) as Role[]) {
    for (const [name, endpoint] of Object.entries<Endpoint>(catalogue[role])) {
      const permission = (permissions as Readonly<Record<string, Permission>>)[name]
      if (permission === undefined) continue
      const here = { ...endpoint, path: consoleBasePath + endpoint.path }
      const handler = (handlers[role] as Readonly<Record<string, unknown>>)[name] as AnyHandler
      const once = createOnce(endpoint, services.keptAnswers, services.onFailure)
      const permit = services.audit.watchRefusals(
        name,
        endpoint,
        stillAllowed(console, endpoint, permits[name] ?? permitted),
      )
      const serving = { ...shared, admit: admitFor({ permission, isOwn: false }), role, once, permit }
      const watched = services.ownerNotices.watch(name, endpoint, handler)
      const handle = services.audit.watch(name, endpoint, stillAllowed(console, endpoint, watched))
      router.register(here.path, [here.method], serveEndpoint(here, handle, serving))
    }
  }
}

/**
 * [Note: Asked once more] Who may call is asked before a body is read. Whoever holds the body back until their role is gone has nothing of it.
 */
function stillAllowed(
  { signIns }: Pick<Console, 'signIns'>,
  { body }: Endpoint,
  handler: AnyHandler,
): AnyHandler {
  if (body === undefined) return handler
  return async (request) => {
    if (await signIns.isStill((request.caller as ConsoleCaller).known)) return handler(request)
    throw new Problem('forbidden', 'What you may do was changed while this was sent.')
  }
}
