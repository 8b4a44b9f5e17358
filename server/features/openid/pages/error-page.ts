import { type Html, html } from '#server/platform/http/responses/html.ts'
import { type PageWording, pageWordingFor } from './page-wording.ts'

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
  return documentOf(
    words,
    words.title,
    html`<p>${words[kind]}</p>
<p class="site">${words.forSite} <span lang="en" dir="ltr"><code>${code}</code>${separator}${description}</span></p>`,
  )
}

/** A page of the provider: a title, and what follows it. */
export function documentOf({ locale, direction }: PageWording, title: string, content: Html): string {
  const page = html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/openid/style.css">
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return page.markup
}

/** The style sheet of these pages, in the colours of the product. */
export const pageStyle = `:root { --page: #f7f8fa; --text: #14191f; --muted: #505b67; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --page: #0e1318; --text: #f0f3f6; --muted: #aeb9c4; } }
body {
  margin: 0; background: var(--page); color: var(--text); min-block-size: 100dvh; display: grid; place-items: center;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
main { max-inline-size: 32rem; padding: 24px; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 12px; }
p { margin: 0 0 16px; }
.site { color: var(--muted); font-size: .875rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
button {
  font: inherit; font-weight: 600; color: var(--page); background: var(--text); border: 0; border-radius: 10px;
  padding: 12px 24px; min-block-size: 48px; cursor: pointer;
}
`
