import type { Configuration, errors, KoaContextWithOIDC } from 'oidc-provider'

/** Of a request's address and body together. */
export const mostRequestBytes = 8 * 1024
const mostEchoedCharacters = 2048

/** [Note: What is sent back is kept until then] Sites choose these two freely, and get them back as they are: no site needs more. */
const echoed = ['state', 'nonce'] as const

/** Refuses parameters that would be kept for nothing, before anything of a request is. */
export function limitedParameters({ InvalidRequest }: typeof errors): Configuration['extraParams'] {
  const limited = (name: string) => (_ctx: KoaContextWithOIDC, value: string | undefined) => {
    // The library measures in UTF-16; a character beyond counts once.
    if (value !== undefined && [...value].length > mostEchoedCharacters)
      throw new InvalidRequest(`${name} must have at most ${mostEchoedCharacters} characters`)
  }
  return Object.fromEntries(echoed.map((name) => [name, limited(name)]))
}
