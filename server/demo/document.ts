import { type Html, html } from './html.ts'

/** A whole page of the demo. */
export function documentOf(title: string, content: Html): string {
  const page = html`<!doctype html>
<html lang="en">
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
<header><a class="brand" href="/demo">Selfsame</a><span class="tag">demo on this machine</span></header>
<main>
${content}
</main>
<footer>
<p>Pictures go to this server only, and are not stored. A result is kept for 7 days. Where a face is to be known again, a numeric code of it stays in this server’s store.</p>
</footer>
</body>
</html>
`
  return page.markup
}
