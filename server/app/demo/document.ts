import { type Html, html } from '#server/platform/http/responses/html.ts'
import type { AnswerWording } from './wording/answer-wording.ts'

type Words = Pick<AnswerWording, 'locale' | 'direction' | 'title' | 'tag' | 'footer'>

/** A complete page of the demo. */
export function documentOf({ locale, direction, title, tag, footer }: Words, content: Html): string {
  const page = html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Selfsame demo</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/demo/style.css">
<script type="module" src="/demo/script.js"></script>
</head>
<body>
<header><a class="brand" href="/demo">Selfsame</a><span class="tag">${tag}</span></header>
<main>
${content}
</main>
<footer>
<p>${footer}</p>
</footer>
</body>
</html>
`
  return page.markup
}
