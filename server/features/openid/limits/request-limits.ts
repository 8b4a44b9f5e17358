import type { Configuration, errors, KoaContextWithOIDC } from 'oidc-provider'

/** The combined limit for a request's address and body. */
export const mostRequestBytes = 8 * 1024
const mostEchoedCharacters = 2048

/** Sites choose these two freely and get them back unchanged, so the provider stores them until the sign-in ends. */
const echoed = ['state', 'nonce'] as const

/** Refuses long parameters before any part of the request is saved. */
export function limitedParameters({ InvalidRequest }: typeof errors): Configuration['extraParams'] {
  const limited = (name: string) => (_ctx: KoaContextWithOIDC, value: string | undefined) => {
    // A character outside the basic plane counts once, although it takes two UTF-16 units.
    if (value !== undefined && [...value].length > mostEchoedCharacters)
      throw new InvalidRequest(`${name} must have at most ${mostEchoedCharacters} characters`)
  }
  return Object.fromEntries(echoed.map((name) => [name, limited(name)]))
}
