import type { Context } from 'koa'
import { type Html, html } from './html.ts'
import { type HeaderSettings, type ResponseKind, setSecurityHeaders } from './security-headers.ts'

/** A notice's language, and the path to its style sheet, which `sendNoticeStyle` serves. */
export interface NoticeFrame {
  readonly locale: string
  readonly direction: string
  readonly stylePath: string
}

/** A plain page with a title and content. */
export function noticePage(
  { locale, direction, stylePath }: NoticeFrame,
  title: string,
  content: Html,
): string {
  const page = html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">
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

/** Serves these pages' style sheet, with the appropriate headers. */
export function sendNoticeStyle(ctx: Context, kind: ResponseKind, settings: HeaderSettings): void {
  setSecurityHeaders(ctx, kind, settings)
  ctx.set('Cache-Control', 'public, max-age=3600')
  ctx.type = 'css'
  ctx.body = style
}

/** Uses the product's colours. */
const style = `:root { --page: #f7f8fa; --text: #14191f; --muted: #505b67; color-scheme: light dark; }
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
