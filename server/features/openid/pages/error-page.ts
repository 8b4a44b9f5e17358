import { html } from '#server/platform/http/responses/html.ts'
import { errorWordingFor } from './error-wording.ts'

/** Why a sign-in does not go on, as far as the person can do something about it. */
export type ErrorKind = 'refused' | 'expired' | 'tooMany'

/** The page for a person who cannot be sent back to the site. The code is for the people who run the site, and names no one. */
export function errorPage(kind: ErrorKind, code: string, languages: readonly string[]): string {
  const words = errorWordingFor(languages)
  const page = html`<!doctype html>
<html lang="${words.locale}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/openid/style.css">
</head>
<body>
<main>
<h1>${words.title}</h1>
<p>${words[kind]}</p>
<p class="site">${words.forSite} <code dir="ltr">${code}</code></p>
</main>
</body>
</html>
`
  return page.markup
}

/** Its style sheet; the colours are those of the product. */
export const errorStyle = `:root { --page: #f7f8fa; --text: #14191f; --muted: #505b67; color-scheme: light dark; }
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
`
