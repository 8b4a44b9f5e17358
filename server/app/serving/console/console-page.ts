import type Router from '@koa/router'
import type { Context } from 'koa'
import { type HeaderSettings, setSecurityHeaders } from '#server/platform/http/responses/security-headers.ts'
import { type StaticFiles, sendFile } from '#server/platform/http/responses/static-files.ts'
import { Problem } from '#shared/problem.ts'
import { isLoopbackAddress } from '#shared/web-address.ts'

const consoleDocument = '/console.html'
const previewDocument = '/console-preview.html'
/** Documents that are not served under their file names. */
export const consoleDocuments: readonly string[] = [consoleDocument, previewDocument]
/** Any console screen below its address. The console's API is mounted separately. */
const anyScreen = /^\/console(?:\/(?!api(?:\/|$)).*)?$/

/**
 * Mounts the console's page: one document at each of its addresses, which may not be framed. Requests to this machine's IP
 * address are redirected to its name, where passkeys work. Only the console may frame the preview of the
 * capture page next to it.
 */
export function mountConsolePage(
  router: Router,
  files: StaticFiles,
  settings: HeaderSettings,
  origin: () => string,
): void {
  const send = (ctx: Context, name: string) => {
    const document = files.get(name)
    if (document === undefined)
      throw new Problem('not_found', 'The page is not built yet: run npm run build.')
    sendFile(ctx, document, 'no-cache')
  }
  router.get('/console/preview', (ctx: Context) => {
    setSecurityHeaders(ctx, 'preview', settings)
    send(ctx, previewDocument)
  })
  router.get(anyScreen, (ctx: Context) => {
    ctx.state.route = '/console/*'
    setSecurityHeaders(ctx, 'console', settings)
    const isNumber = !/^localhost(:|$)/.test(ctx.host) && isLoopbackAddress(`http://${ctx.host}`)
    if (isNumber && origin().startsWith('http://localhost'))
      return ctx.redirect(origin() + ctx.path + ctx.search)
    send(ctx, consoleDocument)
  })
}
