import type { Endpoint } from '../../endpoint.ts'
import { noticesEndpoints } from './notices.ts'
import { openidEndpoints } from './openid.ts'
import { passkeysEndpoints } from './passkeys.ts'
import { peopleEndpoints } from './people.ts'
import { signInEndpoints } from './sign-in.ts'

/** Calls that only the console makes: signing in and managing an account's operators. They are served by the configuration role. */
export const consoleCatalogue = {
  ...signInEndpoints,
  ...openidEndpoints,
  ...passkeysEndpoints,
  ...peopleEndpoints,
  ...noticesEndpoints,
} as const satisfies Record<string, Endpoint & { readonly inClient: false }>

export type ConsoleCatalogue = typeof consoleCatalogue
