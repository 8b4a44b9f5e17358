import { html } from '#server/platform/http/responses/html.ts'
import { noticePage } from '#server/platform/http/responses/notice-page.ts'
import { pageWordingFor } from './page-wording.ts'

/** The address of `noticeStyle` on the provider. */
export const stylePath = '/openid/style.css'

/** The reason that a sign-in cannot continue, in categories that a person can act on. */
export type ErrorKind = 'refused' | 'expired' | 'tooMany'

/** A refused request, in OAuth terms. */
export interface Refusal {
  /** For example `invalid_request`. */
  readonly code: string
  /** Names the broken rule for the site's developers; some codes have none. */
  readonly description?: string | undefined
}

/** The page shown to a person who cannot be sent back to the site. */
export function errorPage(kind: ErrorKind, refusal: Refusal, languages: readonly string[]): string {
  const words = pageWordingFor(languages)
  const { code, description = '' } = refusal
  const separator = description === '' ? '' : ': '
  return noticePage(
    { ...words, stylePath },
    words.title,
    html`<p>${words[kind]}</p>
<p class="site">${words.forSite} <span lang="en" dir="ltr"><code>${code}</code>${separator}${description}</span></p>`,
  )
}
