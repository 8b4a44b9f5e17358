import type { KoaContextWithOIDC } from 'oidc-provider'

type Library = typeof import('oidc-provider')

/** Sends the answer of an authorization request to a redirect address. */
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
 * Leads the browser to the address with the answer in its query. [Note: Addresses stay as sent] The library would parse the address and
 * write it again, and so change its query: `%20` would become `+`.
 */
export function respondByQuery(
  ctx: KoaContextWithOIDC,
  address: string,
  answer: Readonly<Record<string, unknown>>,
): void {
  const added = new URLSearchParams(fieldsOf(answer)).toString()
  const whole = `${address}${address.includes('?') ? '&' : '?'}${added}`
  ctx.status = 303
  // Clients of before may have addresses of other characters, which no header holds.
  ctx.set('Location', /^[\x21-\x7e]+$/.test(whole) ? whole : new URL(whole).href)
  ctx.body = ''
}

/** The members of an answer as texts. */
export function fieldsOf(answer: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, String(value)]))
}
