import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'

/** Every endpoint in the API, once, by name. */
export const endpoints: ReadonlyMap<string, Endpoint> = new Map(
  Object.values(catalogue).flatMap((role) => Object.entries<Endpoint>(role)),
)
