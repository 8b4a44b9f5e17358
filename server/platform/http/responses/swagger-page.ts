import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { createSignature } from '#shared/contract/configuration/signature.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { getSessionResult } from '#shared/contract/sessions/session-result.ts'
import type { Role } from '#shared/hosts.ts'
import { type Html, html } from './html.ts'

/** The page around Swagger UI, without inline scripts or external resources. It names first calls that this host answers. */
export function swaggerPage(roles: readonly Role[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Selfsame API</title>
<link rel="icon" type="image/png" href="/swagger/favicon-32x32.png">
<link rel="stylesheet" href="/swagger/swagger-ui.css">
<link rel="stylesheet" href="/swagger/page.css">
</head>
<body>
<noscript>This page needs JavaScript. The document that it shows is <a href="/openapi.json">openapi.json</a>.</noscript>
<section class="start" aria-labelledby="start">
<h2 id="start">Start here</h2>
<ol>
<li>Press <b>Authorize</b> and enter an API key. The first start of the server prints one; the console makes more under <b>Developers</b>.</li>
<li>Open a call, press <b>Try it out</b>, then <b>Execute</b>. Each begins with an example; replace the ids in it with your own.</li>
${firstCalls(roles)}
<li>Programs read the same as <a href="/openapi.json">openapi.json</a>.</li>
</ol>
</section>
<div id="swagger-ui"></div>
<script src="/swagger/swagger-ui-bundle.js"></script>
<script src="/swagger/page.js"></script>
</body>
</html>
`.markup
}

function firstCalls(roles: readonly Role[]): readonly Html[] {
  const picture = html`<li>For a first answer, <code>${detectFaces.path}</code> needs nothing but a picture in Base64.</li>`
  const check = html`<li>For a whole check, <code>${createVerification.path}</code> says what is checked, <code>${createSignature.path}</code> signs the link that you send, and <code>${getSessionResult.path}</code> returns what came of it.</li>`
  return [
    ...(roles.includes('face-verification') ? [picture] : []),
    ...(roles.includes('configuration') ? [check] : []),
  ]
}

/** People may paste a bare key, so the prefix is added here. The external validator is disabled. Follows the system's dark mode. */
export const swaggerScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', dress)
dress()
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  requestInterceptor(request) {
    const value = request.headers?.Authorization
    if (value !== undefined && !value.includes(' ')) request.headers.Authorization = 'ApiKey ' + value
    return request
  },
})
`

/** On narrow screens, headings appear above their explanations, and a response uses the space of its empty links column. */
export const swaggerStyle = `body { margin: 0; }
.start { max-width: 1460px; margin: 0 auto; padding: 24px 20px 0; box-sizing: border-box; color: #3b4151; font: 16px/1.6 sans-serif; }
.start h2 { margin: 0 0 8px; font-size: 24px; line-height: 1.25; }
.start ol { max-width: 80ch; margin: 0; padding-inline-start: 24px; }
.start li { margin-block-end: 4px; }
.start code { overflow-wrap: anywhere; font-size: 14px; }
.start a { color: #0b5fcc; }
.dark-mode .start { color: #e4e6e6; }
.dark-mode .start a { color: #7fb4ff; }
@media (max-width: 640px) {
  .swagger-ui .opblock-tag { display: grid; grid-template-columns: 1fr auto; }
  .swagger-ui .opblock-tag small { grid-row: 2; grid-column: 1 / -1; padding: 4px 0; }
  .swagger-ui .response-col_links { display: none; }
}
`
