import type { Endpoint } from '../endpoint.ts'
import type { Role } from '../hosts.ts'
import { clientCatalogue } from './client-catalogue.ts'
import { kioskDeviceEndpoints } from './kiosk/kiosk-device.ts'

/** Endpoints that are left out of the published client. */
const others = { ...kioskDeviceEndpoints } as const satisfies Record<
  string,
  Endpoint & { readonly inClient: false }
>

/** The complete API: each role with its endpoints. */
export const catalogue = {
  ...clientCatalogue,
  configuration: { ...clientCatalogue.configuration, ...others },
} as const satisfies Record<Role, Record<string, Endpoint>>

export type Catalogue = typeof catalogue
