/** The page around Swagger UI, without inline scripts or external resources. */
export const swaggerPage = `<!doctype html>
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
<div id="swagger-ui"></div>
<script src="/swagger/swagger-ui-bundle.js"></script>
<script src="/swagger/page.js"></script>
</body>
</html>
`

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
@media (max-width: 640px) {
  .swagger-ui .opblock-tag { display: grid; grid-template-columns: 1fr auto; }
  .swagger-ui .opblock-tag small { grid-row: 2; grid-column: 1 / -1; padding: 4px 0; }
  .swagger-ui .response-col_links { display: none; }
}
`
