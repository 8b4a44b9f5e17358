import type { Endpoint } from '#shared/endpoint.ts'

/** The endpoint's example as a curl command that takes `$SELFSAME_URL` and the credential from the environment. */
export function curlOf({ method, path, auth, body, example }: Endpoint): string {
  const words = [
    'curl -sS',
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    `"$SELFSAME_URL${path}${searchOf(example?.query)}"`,
  ]
  const lines = [
    words.join(' '),
    ...credentialOf(auth),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(example?.body ?? {})}`]),
  ]
  return lines.join(' \\\n  ')
}

const exampleCredentials = {
  key: 'ApiKey $SELFSAME_API_KEY',
  'key-or-bearer': 'ApiKey $SELFSAME_API_KEY',
  session: 'Bearer $SELFSAME_SESSION_TOKEN',
  kiosk: 'Bearer $SELFSAME_KIOSK_TOKEN',
} as const

function credentialOf(auth: Endpoint['auth']): string[] {
  if (auth === 'none' || auth === 'console') return []
  return [`-H "Authorization: ${exampleCredentials[auth]}"`]
}

function searchOf(query: unknown): string {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).map(
    ([name, value]): [string, string] => [name, String(value)],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function quoted(body: unknown): string {
  return `'${JSON.stringify(body).replaceAll("'", `'\\''`)}'`
}
