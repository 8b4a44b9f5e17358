import type { Endpoint } from '../endpoint.ts'
import type { Role } from '../hosts.ts'
import { clientCatalogue } from './client-catalogue.ts'
import { pairKiosk, submitKiosk, syncKiosk, tokenKiosk } from './kiosk/kiosk-device.ts'

/** The whole interface in one value: each role with its endpoints. What a kiosk's device calls stands here alone. */
export const catalogue = {
  ...clientCatalogue,
  configuration: { ...clientCatalogue.configuration, pairKiosk, tokenKiosk, syncKiosk, submitKiosk },
} as const satisfies Record<Role, Record<string, Endpoint>>

export type Catalogue = typeof catalogue
