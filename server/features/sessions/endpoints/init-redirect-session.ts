import type { AnonymousCaller } from '#server/features/callers/callers.ts'
import type { CheckLink } from '#server/features/sessions/opening/link-check.ts'
import type { OpenLink } from '#server/features/sessions/opening/link-opening.ts'
import type { initRedirectSession } from '#shared/contract/sessions/session.ts'
import type { Handler } from '#shared/endpoint.ts'

export type InitRedirectSession = Handler<typeof initRedirectSession, AnonymousCaller>

/** Opens a link's session. The signature is checked first; rule 9 of the interface is ours to fill. */
export function createInitRedirectSession(checkLink: CheckLink, openLink: OpenLink): InitRedirectSession {
  return ({ body, caller }) => {
    const { openingId, resumeSecret } = body
    return checkLink({ body, caller }, (link) => openLink(link, { openingId, resumeSecret }))
  }
}
