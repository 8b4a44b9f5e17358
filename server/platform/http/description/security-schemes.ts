import type { Auth, Endpoint } from '#shared/endpoint.ts'
import type { Operation, SecurityRequirement } from './document.ts'

const schemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An API key of the account: `ApiKey`, a space, and the key.',
  },
  ApiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key of the account, without a prefix. Accepted by the Verify service only.',
  },
  AccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A time-limited token for client-side use, as issued by `GET /v1/token/get`.',
  },
  SessionToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of one session, as returned when the session was opened.',
  },
  ConsoleCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-selfsame-console',
    description: 'The operator who is signed in to the console; accepted under `/console/api/` only.',
  },
  KioskToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a paired kiosk, as issued by `POST /v1/kiosk/token`.',
  },
} as const

type SchemeName = keyof typeof schemes

const accepted: Record<Auth, readonly SchemeName[]> = {
  none: [],
  key: ['ApiKey'],
  'key-or-bearer': ['ApiKey', 'AccessToken'],
  session: ['SessionToken'],
  kiosk: ['KioskToken'],
  console: ['ConsoleCookie'],
}

/** The credentials that an endpoint accepts, any one of which is enough; empty if it needs none. */
export function securityOf({ auth }: Endpoint, takesKeyHeader: boolean): SecurityRequirement[] {
  const names = accepted[auth]
  const keyHeader: SchemeName[] = takesKeyHeader && names.includes('ApiKey') ? ['ApiKeyHeader'] : []
  return [...keyHeader, ...names].map((name) => ({ [name]: [] }))
}

/** The schemes that the operations refer to. */
export function securitySchemesOf(operations: readonly Operation[]) {
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)))
  return Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name)))
}
