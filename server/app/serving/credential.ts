import type { Context } from 'koa'
import type { Auth } from '#shared/endpoint.ts'
import { Problem } from '#shared/problem.ts'

export interface Credential {
  readonly scheme: 'apikey' | 'bearer'
  readonly value: string
}

/** @param acceptsKeyHeader if the key may be sent in `X-API-Key`, as the verify role allows */
export function credentialOf(ctx: Context, acceptsKeyHeader: boolean): Credential | undefined {
  const match = /^(apikey|bearer) +([^\s]{1,4096})$/i.exec(ctx.req.headers.authorization ?? '')
  if (match !== null) return { scheme: match[1]!.toLowerCase() as Credential['scheme'], value: match[2]! }
  const key = acceptsKeyHeader ? ctx.get('X-API-Key') : ''
  return key === '' ? undefined : { scheme: 'apikey', value: key }
}

const keyForm = '`Authorization: ApiKey …`'
const bearerForm = '`Authorization: Bearer …`'

const accepted: Readonly<Record<Auth, string>> = {
  none: 'no credential',
  key: keyForm,
  'key-or-bearer': `${keyForm} or ${bearerForm}`,
  session: `${bearerForm} with the token of a session`,
  kiosk: `${bearerForm} with the token of a kiosk`,
  console: 'the cookie of the console',
}

const challenges: Readonly<Partial<Record<Auth, string>>> = {
  key: 'ApiKey',
  session: 'Bearer',
  kiosk: 'Bearer',
}

/**
 * An endpoint's 401. [Note: A 401 names the remedy] It lists the accepted schemes and the format of the credential that was
 * received, judged only by the headers. It is built before any lookup, so it reveals nothing about existing keys and
 * tokens, and it never repeats a value.
 */
export function unauthenticated(ctx: Context, auth: Auth, acceptsKeyHeader: boolean): Problem {
  const schemes =
    acceptsKeyHeader && auth.startsWith('key') ? `${accepted[auth]} or \`X-API-Key: …\`` : accepted[auth]
  ctx.set('WWW-Authenticate', challenges[auth] ?? 'Bearer, ApiKey')
  const received = formOf(ctx, auth, acceptsKeyHeader)
  return new Problem(
    'unauthenticated',
    `A valid credential is required. This endpoint accepts ${schemes}. It received ${received}.`,
  )
}

const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

function formOf(ctx: Context, auth: Auth, acceptsKeyHeader: boolean): string {
  const credential = credentialOf(ctx, acceptsKeyHeader)
  if (credential !== undefined) return formOfCredential(credential, auth)
  const authorization = ctx.get('Authorization')
  if (authorization === '')
    return ctx.get('X-API-Key') === '' ? 'nothing' : `an x-api-key header${keysAreSent(auth)}`
  const scheme = /^(\S+) +\S/.exec(authorization)?.[1]?.toLowerCase()
  if (scheme === undefined) return 'an Authorization header without a scheme or without a credential'
  return scheme === 'apikey' || scheme === 'bearer'
    ? 'an Authorization header with white space in its credential, or longer than 4,096 characters'
    : 'an Authorization header of another scheme'
}

function formOfCredential({ scheme, value }: Credential, auth: Auth): string {
  const isToken = tokenForm.test(value)
  if (scheme === 'bearer')
    return isToken ? 'a Bearer token' : `a Bearer that is not a token${keysAreSent(auth)}`
  if (!isToken) return 'an API key'
  return auth === 'key'
    ? 'an ApiKey that is a token'
    : `an ApiKey that is a token; tokens are sent as ${bearerForm}`
}

function keysAreSent(auth: Auth): string {
  return auth.startsWith('key') ? `; API keys are sent as ${keyForm}` : ''
}
