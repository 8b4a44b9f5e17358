import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { consoleDocuments } from '#server/app/serving/console/console-page.ts'
import type { FramedPage, FramingOf } from '#server/features/accounts/accounts.ts'
import {
  allowAnyOrigin,
  type HeaderSettings,
  type ResponseKind,
  setSecurityHeaders,
} from '#server/platform/http/responses/security-headers.ts'
import { type StaticFiles, sendFile } from '#server/platform/http/responses/static-files.ts'
import { answerOtherMethod } from '#server/platform/http/responses/unmatched.ts'
import { Problem } from '#shared/problem.ts'

/** Scripts with which a site shows the check on its own pages. */
const embedScripts: ReadonlySet<string> = new Set(['/embed.js', '/element.js'])
const forever = 'public, max-age=31536000, immutable'

/** Built documents that are not served under their file names. */
const captureDocument = '/index.html'
const kioskDocument = '/kiosk.html'
const deviceDocument = '/check-device.html'
/** Served by the demo, if there is one. */
export const playgroundDocument = '/playground.html'
const documents: ReadonlySet<string> = new Set([
  captureDocument,
  kioskDocument,
  deviceDocument,
  playgroundDocument,
  ...consoleDocuments,
])

/**
 * Mounts the pages. The capture page is one document for every link. Sites listed by its account may frame it, but never
 * during a sign-in. The kiosk's page is another document that may never be framed.
 */
export function mountPages(
  router: Router,
  files: StaticFiles,
  settings: HeaderSettings,
  framingOf: FramingOf,
): void {
  const sendDocument = (ctx: Context, name: string, kind: ResponseKind, embedOrigins: readonly string[]) => {
    const document = files.get(name)
    if (document === undefined) throw notBuilt()
    setSecurityHeaders(ctx, kind, { ...settings, embedOrigins })
    sendFile(ctx, document, 'no-cache')
  }
  const send = (ctx: Context, kind: ResponseKind, embedOrigins: readonly string[]) =>
    sendDocument(ctx, captureDocument, kind, embedOrigins)
  const page = (kindOf: (ctx: Context) => ResponseKind) => async (ctx: Context) => {
    const framing = await framingOf(ctx.params as FramedPage)
    if (framing.kind === 'none') return send(ctx, 'popup', [])
    send(ctx, kindOf(ctx), [...new Set([...settings.embedOrigins, ...framing.origins])])
  }
  // [Note: The bare page] The page that an installed app starts with, and that devices cache for offline use.
  router.get('/verification', (ctx) => send(ctx, 'capture', []))
  router.get('/popup', (ctx) => send(ctx, 'popup', []))
  router.get('/kiosk', (ctx) => sendDocument(ctx, kioskDocument, 'capture', []))
  router.get('/check-device', (ctx) => sendDocument(ctx, deviceDocument, 'capture', []))
  router.get('/verification/session/:sessionId', page(frameKind))
  router.get('/verification/:verificationId', page(frameKind))
  router.get(
    '/handoff',
    page(() => 'capture'),
  )
  const popup = page(() => 'popup')
  router.get('/popup/session/:sessionId', popup)
  router.get('/popup/:verificationId', popup)
}

export function notBuilt(): Problem {
  return new Problem('not_found', 'The page is not built yet: run npm run build.')
}

/** [Note: Framed unless proven otherwise] Without Sec-Fetch-Dest, the page may be in a frame. */
function frameKind(ctx: Context): ResponseKind {
  ctx.vary('Sec-Fetch-Dest')
  const destination = ctx.get('Sec-Fetch-Dest')
  return destination === 'iframe' || destination === '' ? 'framed' : 'capture'
}

/**
 * Serves the page's files. Scripts carry the page's policy, because a worker does not inherit one. Files under `/assets/`
 * have a hash in their names and never change.
 */
export function assets(files: StaticFiles, settings: HeaderSettings): Middleware {
  return async (ctx, next) => {
    const file = documents.has(ctx.path) ? undefined : files.get(ctx.path)
    if (file === undefined) return next()
    ctx.state.route = ctx.path.startsWith('/assets/') ? '/assets/*' : '/*'
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return answerOtherMethod(ctx, ['GET', 'HEAD'])
    const isForOthers = embedScripts.has(ctx.path)
    setSecurityHeaders(ctx, isForOthers ? 'api' : 'capture', settings)
    if (isForOthers) allowAnyOrigin(ctx)
    sendFile(ctx, file, ctx.path.startsWith('/assets/') ? forever : 'no-cache')
  }
}
