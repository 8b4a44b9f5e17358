import { createHash } from 'node:crypto'
import { html, raw } from '#server/platform/http/responses/html.ts'
import { noticePage } from '#server/platform/http/responses/notice-page.ts'
import { stylePath } from './error-page.ts'
import { pageWordingFor } from './page-wording.ts'

const script = 'document.forms[0].submit()'

/** The SHA-256 of the page's only script, for the policy that allows it. */
export const formScriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`

/** The page that posts a response to a site as a form. Its button is for browsers that do not run scripts. */
export function formPage(
  action: string,
  fields: Readonly<Record<string, string>>,
  languages: readonly string[],
): string {
  const words = pageWordingFor(languages)
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return noticePage(
    { ...words, stylePath },
    words.back,
    html`<form method="post" action="${action}">
${inputs}
<button type="submit">${words.goOn}</button>
</form>
<script>${raw(script)}</script>`,
  )
}
