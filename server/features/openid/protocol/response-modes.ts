import type { KoaContextWithOIDC } from 'oidc-provider'

type Library = typeof import('oidc-provider')

/** Sends the response of an authorization request to a redirect address. */
export type Respond = (
  ctx: KoaContextWithOIDC,
  address: string,
  answer: Readonly<Record<string, unknown>>,
) => void

/** Replaces response modes of the library's provider, which registers them in its constructor and keeps the first of each name. */
export function withResponseModes(
  { Provider }: Library,
  modes: Readonly<Record<string, Respond>>,
): Library['Provider'] {
  return class extends Provider {
    override registerResponseMode(name: string, respond: Respond): void {
      super.registerResponseMode(name, modes[name] ?? respond)
    }
  }
}

/**
 * Redirects the browser to the address with the response in its query. [Note: Addresses stay as sent] The library would
 * parse and serialise the address, and so change its query: `%20` would become `+`.
 */
export function respondByQuery(
  ctx: KoaContextWithOIDC,
  address: string,
  answer: Readonly<Record<string, unknown>>,
): void {
  const added = new URLSearchParams(fieldsOf(answer)).toString()
  const whole = `${address}${address.includes('?') ? '&' : '?'}${added}`
  ctx.status = 303
  // Addresses of earlier clients may contain other characters, which headers do not allow.
  ctx.set('Location', /^[\x21-\x7e]+$/.test(whole) ? whole : new URL(whole).href)
  ctx.body = ''
}

/** The members of a response as text. */
export function fieldsOf(answer: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))
}
