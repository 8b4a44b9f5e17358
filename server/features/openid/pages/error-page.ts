import { html } from '#server/platform/http/responses/html.ts'
import { noticePage } from '#server/platform/http/responses/notice-page.ts'
import { pageWordingFor } from './page-wording.ts'

/** The address of `noticeStyle` among the provider's own. */
export const stylePath = '/openid/style.css'

/** Why a sign-in does not go on, as far as the person can do something about it. */
export type ErrorKind = 'refused' | 'expired' | 'tooMany'

/** A refused request, in the words of OAuth. */
export interface Refusal {
  /** Such as `invalid_request`. */
  readonly code: string
  /** Names the rule that was broken, for the people who run the site; some codes come without one. */
  readonly description?: string | undefined
}

/** The page for a person who cannot be sent back to the site. */
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
