import type { Endpoint } from '../endpoint.ts'
import type { Permission } from '../operator-roles.ts'
import { clientCatalogue } from './client-catalogue.ts'

type ClientCatalogue = typeof clientCatalogue
type NamesOf<Endpoints> = {
  [Name in keyof Endpoints]: Endpoints[Name] extends { auth: 'key' | 'key-or-bearer' } ? Name : never
}[keyof Endpoints]

/** Endpoints that accept an account's credential. The console may call them as well. */
export type ConsoleOperation = {
  [R in keyof ClientCatalogue]: NamesOf<ClientCatalogue[R]>
}[keyof ClientCatalogue]

const all = Object.values(clientCatalogue).flatMap((role) => Object.entries<Endpoint>(role))
const permitted = all.flatMap(([name, { console }]) => (console === undefined ? [] : [[name, console]]))

/** The console permissions for these endpoints. */
export const consoleOperations = Object.fromEntries(permitted) as Readonly<
  Record<ConsoleOperation, Permission>
>
