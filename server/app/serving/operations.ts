import type { Services } from '#server/app/compose.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import type { Role } from '#shared/hosts.ts'
import type { AnyHandler } from './mount.ts'
import { permitsOf } from './permits.ts'
import { handlersOf } from './roles.ts'

/** One of the catalogue's endpoints with its handler. Types are erased, because the tables have already checked them. */
export interface Operation {
  readonly role: Role
  readonly name: string
  readonly endpoint: Endpoint
  readonly handler: AnyHandler
  /** Only for endpoints that need more than role and scope. */
  readonly permit: AnyHandler | undefined
}

/** The operations that the given roles serve: each endpoint once, even if several roles share it. */
export function operationsOf(roles: readonly Role[], services: Services): readonly Operation[] {
  const handlers = handlersOf(services) as Readonly<Record<Role, object>> as Table<Table<AnyHandler>>
  const permits = permitsOf(services) as object as Table<AnyHandler>
  const found = new Map<Endpoint, Operation>()
  for (const role of roles) {
    for (const [name, endpoint] of Object.entries<Endpoint>(catalogue[role])) {
      const permit = endpoint.permittedBy === 'content' ? permits[name] : undefined
      if (!found.has(endpoint))
        found.set(endpoint, { role, name, endpoint, permit, handler: handlers[role]![name]! })
    }
  }
  return [...found.values()]
}

type Table<T> = Readonly<Record<string, T>>
