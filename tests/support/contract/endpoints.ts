import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'

/** Every endpoint of the interface by its name, once. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  Object.values(catalogue).flatMap((role) => Object.entries<Endpoint>(role)),
)
