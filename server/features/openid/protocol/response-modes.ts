import type { KoaContextWithOIDC } from 'oidc-provider'

type Library = typeof import('oidc-provider')

/** Sends an authorization request's response to a redirect address. */
export type Respond = (
  ctx: KoaContextWithOIDC,
  address: string,
  answer: Readonly<Record<string, unknown>>,
) => void

/** Replaces the library's response modes. The library registers modes in its constructor and keeps the first with each name. */
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
 * Redirects the browser to the address with the response in its query. [Note: Addresses stay as sent] The library would parse
 * and serialise the address, and so change its query: `%20` would become `+`.
 */
export function respondByQuery(
  ctx: KoaContextWithOIDC,
  address: string,
  answer: Readonly<Record<string, unknown>>,
): void {
  const added = new URLSearchParams(fieldsOf(answer)).toString()
  const whole = `${address}${address.includes('?') ? '&' : '?'}${added}`
  ctx.status = 303
  // Earlier clients' addresses may contain other characters, which headers do not allow.
  ctx.set('Location', /^[\x21-\x7e]+$/.test(whole) ? whole : new URL(whole).href)
  ctx.body = ''
}

/** A response's members as text. */
export function fieldsOf(answer: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))
}
