import { catalogue } from '../shared/contract/catalogue.ts'
import { clientCatalogue } from '../shared/contract/client-catalogue.ts'
import { type Auth, type Endpoint, type RateClass, type Scope, scopesFor } from '../shared/endpoint.ts'
import type { Role } from '../shared/hosts.ts'

export const callsPage = 'docs/calls.md'

const credentials: Readonly<Record<Exclude<Auth, 'console'>, string>> = {
  none: 'none',
  key: 'key',
  'key-or-bearer': 'key, bearer',
  session: 'session token',
  kiosk: 'kiosk’s token',
}

const counted: Readonly<Record<RateClass, string>> = {
  analyses: 'analysis',
  requests: 'request',
  inits: 'opening',
  uncounted: '',
}

/** Scopes that no bearer token carries. */
const ofKeysAlone: readonly Scope[] = ['admin', 'review', 'tokens']

/** The table of every public call: method of the client, verb and path, credential with its scopes, and what it counts as. */
export function callsTable(): string {
  const seen = new Set<Endpoint>()
  const rows = (Object.keys(catalogue) as Role[]).flatMap((role) =>
    Object.entries<Endpoint>(catalogue[role])
      .filter(([, endpoint]) => endpoint.auth !== 'console' && !seen.has(endpoint) && seen.add(endpoint))
      .map(([name, endpoint]) => rowOf(role, name, endpoint)),
  )
  return [['client', 'call', 'credential: scope', 'counts as'], ['---', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function rowOf(role: Role, name: string, endpoint: Endpoint): string[] {
  const { method, path, auth, rate, analysed } = endpoint
  const scopes = scopesFor(endpoint)
  const isForKeys = scopes.length > 0 && scopes.every((scope) => ofKeysAlone.includes(scope))
  const named = scopes.map((scope) => `\`${scope}\``).join(' or ')
  const isInClient = name in clientCatalogue[role]
  const owner =
    auth === 'session' ? 'session' : role.replace(/-(\w)/g, (_, first: string) => first.toUpperCase())
  const limit = analysed === undefined ? counted[rate] : `${counted[rate]}; analysis with \`${analysed}\``
  return [
    isInClient ? `\`${owner}.${name}\`` : '',
    `${method} \`${path}\``,
    `${isForKeys ? credentials.key : credentials[auth as keyof typeof credentials]}${named === '' ? '' : `: ${named}`}`,
    limit,
  ]
}
