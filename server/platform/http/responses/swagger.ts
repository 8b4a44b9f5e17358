import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { describe } from '#server/platform/http/description/description.ts'
import type { Role } from '#shared/hosts.ts'
import { allowAnyOrigin, type HeaderSettings, setSecurityHeaders } from './security-headers.ts'
import { swaggerPage, swaggerScript, swaggerStyle } from './swagger-page.ts'

/** The only files that are served from the package. */
const packaged = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']
const require = createRequire(import.meta.url)
const folder = dirname(require.resolve('swagger-ui-dist/package.json'))
const compress = promisify(gzip)

interface File {
  readonly type: string
  readonly content: Buffer
  readonly gzip: Buffer
}

/** Mounts this host's API document, and the page that displays it. */
export function mountSwagger(router: Router, roles: readonly Role[], settings: HeaderSettings): void {
  const description = once(async () => JSON.stringify(describe(roles)))
  router.get('/openapi.json', async (ctx) => {
    allowAnyOrigin(ctx)
    ctx.type = 'application/json'
    ctx.body = await description()
  })
  const page = swaggerPage(roles)
  for (const address of ['/swagger', '/swagger/']) {
    router.get(address, (ctx) => sendText(ctx, settings, 'html', page))
  }
  router.get('/swagger/page.js', (ctx) => sendText(ctx, settings, 'js', swaggerScript))
  router.get('/swagger/page.css', (ctx) => sendText(ctx, settings, 'css', swaggerStyle))
  for (const name of packaged) {
    const read = once(() => readPackaged(name))
    router.get(`/swagger/${name}`, async (ctx) => sendFile(ctx, settings, await read()))
  }
}

function sendText(ctx: Context, settings: HeaderSettings, type: string, content: string): void {
  setSecurityHeaders(ctx, 'swagger', settings)
  ctx.set('Cache-Control', 'no-cache')
  ctx.type = type
  ctx.body = content
}

function sendFile(ctx: Context, settings: HeaderSettings, file: File): void {
  setSecurityHeaders(ctx, 'swagger', settings)
  ctx.set('Cache-Control', 'public, max-age=3600')
  ctx.vary('Accept-Encoding')
  ctx.type = file.type
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip'
  if (isCompressed) ctx.set('Content-Encoding', 'gzip')
  ctx.body = isCompressed ? file.gzip : file.content
}

async function readPackaged(name: string): Promise<File> {
  const content = await readFile(join(folder, name))
  return { type: extname(name), content, gzip: await compress(content) }
}

/** Runs the work on the first call and caches its result. Failures are not cached. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => {
    done ??= work().catch((error) => {
      done = undefined
      throw error
    })
    return done
  }
}
