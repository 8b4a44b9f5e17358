import type Router from '@koa/router'
import type { Context } from 'koa'
import { type HeaderSettings, setSecurityHeaders } from '#server/platform/http/responses/security-headers.ts'
import { type StaticFiles, sendFile } from '#server/platform/http/responses/static-files.ts'
import { notBuilt, playgroundDocument } from './pages.ts'

/** The demo behind its addresses. It renders documents and does not depend on HTTP. */
export interface Demo {
  /** The page that signs a link for the chosen checks. */
  start(choice: ReadonlyMap<string, string>): Promise<string>
  /** The page that shows a result, in the first preferred language (by tag) that it supports. */
  result(query: string, languages: readonly string[]): Promise<string>
  /** A short-lived token for a visitor's analysis calls. It does not give access to stored data. */
  token(): Promise<{ readonly token: string; readonly expirationUtcTime: string }>
  readonly style: string
  readonly script: string
}

/** Mounts the demo, or plain text in its place. */
export function mountDemo(
  router: Router,
  demo: Demo | undefined,
  files: StaticFiles,
  settings: HeaderSettings,
): void {
  if (demo === undefined) {
    // [Note: Nothing at the root] People get a page in their language that says a link is needed; programs get plain
    // text.
    router.get('/', (ctx) => {
      ctx.vary('Accept')
      if (ctx.accepts('text', 'html') === 'html') return ctx.redirect('/verification')
      ctx.body = 'Selfsame is running.\n'
    })
    return
  }
  const send = (ctx: Context, type: 'html' | 'css' | 'js' | 'json', content: string) => {
    setSecurityHeaders(ctx, 'demo', settings)
    ctx.set('Cache-Control', 'no-store')
    ctx.type = type
    ctx.body = content
  }
  router.get('/', (ctx) => ctx.redirect('/demo'))
  router.get('/demo', async (ctx) => {
    const choice = new Map(new URLSearchParams(ctx.querystring))
    send(ctx, 'html', await demo.start(choice))
  })
  router.get('/demo/result', async (ctx) =>
    send(ctx, 'html', await demo.result(ctx.querystring, ctx.acceptsLanguages())),
  )
  router.get('/demo/token', async (ctx) => send(ctx, 'json', JSON.stringify(await demo.token())))
  router.get('/demo/playground', (ctx) => {
    const document = files.get(playgroundDocument)
    if (document === undefined) throw notBuilt()
    setSecurityHeaders(ctx, 'capture', settings)
    sendFile(ctx, document, 'no-cache')
  })
  router.get('/demo/style.css', (ctx) => send(ctx, 'css', demo.style))
  router.get('/demo/script.js', (ctx) => send(ctx, 'js', demo.script))
}
