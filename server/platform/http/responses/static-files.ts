import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import type { Context } from 'koa'

interface Variant {
  path: string
  bytes: number
}

export interface StaticFile {
  readonly type: string
  readonly tag: string
  readonly plain: Variant
  readonly br: Variant | undefined
  readonly gzip: Variant | undefined
}

/** The built page's files, by address. Only files that were present at startup are ever served. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

/** Lists a folder once, with each file's precompressed versions. Empty if the folder does not exist. */
export async function listStaticFiles(folder: string): Promise<StaticFiles> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const variants = new Map<string, Variant & { modified: number }>()
  for (const entry of names.filter((name) => name.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const { size, mtimeMs } = await stat(path)
    const address = `/${relative(folder, path).split(sep).join('/')}`
    variants.set(address, { path, bytes: size, modified: mtimeMs })
  }
  const files = new Map<string, StaticFile>()
  for (const [address, plain] of variants) {
    if (/\.(br|gz)$/.test(address)) continue
    const tag = createHash('sha256').update(`${address}|${plain.bytes}|${plain.modified}`).digest('base64url')
    const encoded = { br: variants.get(`${address}.br`), gzip: variants.get(`${address}.gz`) }
    files.set(address, { type: extname(address), tag: `"${tag.slice(0, 16)}"`, plain, ...encoded })
  }
  return files
}

/** [Note: Taken back] Replaces the service worker with one that unregisters itself and deletes its cached files. */
export function withoutServiceWorker(files: StaticFiles): StaticFiles {
  const leaving = files.get('/leaving-worker.js')
  return leaving === undefined ? files : new Map([...files, ['/service-worker.js', leaving]])
}

/**
 * Sends a file, compressed if the client accepts that, or the range that the client requests.
 *
 * [Note: Parts are never compressed] A browser counts the decoded bytes it has received, and requests the rest by that offset.
 */
export function sendFile(ctx: Context, file: StaticFile, cacheControl: string): void {
  ctx.set('Cache-Control', cacheControl)
  ctx.set('Accept-Ranges', 'bytes')
  ctx.vary('Accept-Encoding')
  ctx.set('ETag', file.tag)
  ctx.type = file.type === '.onnx' ? 'application/octet-stream' : file.type
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const part = partWanted(ctx, file)
  if (part !== undefined) {
    sendPart(ctx, file.plain, part)
    return
  }
  // Smallest first: browsers name gzip before br, but the order has no meaning.
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && ctx.acceptsEncodings(name))
  const variant = (encoding && file[encoding]) ?? file.plain
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding)
  ctx.length = variant.bytes
  ctx.body = createReadStream(variant.path)
}

/** A file's byte range; both ends are inclusive. */
interface FilePart {
  readonly first: number
  readonly last: number
}

/**
 * The single range that a request asks for (RFC 9110, 14.2). Undefined if it asks for everything, for several ranges, or for
 * a range from another version.
 */
function partWanted(ctx: Context, { plain, tag }: StaticFile): FilePart | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(ctx.get('Range')) ?? []
  const condition = ctx.get('If-Range')
  if (first === undefined || ctx.method !== 'GET' || (condition !== '' && condition !== tag)) return undefined
  const part = {
    first: Number(first),
    last: last ? Math.min(Number(last), plain.bytes - 1) : plain.bytes - 1,
  }
  return last && Number(last) < part.first ? undefined : part
}

function sendPart(ctx: Context, { path, bytes }: Variant, { first, last }: FilePart): void {
  if (first >= bytes) {
    ctx.status = 416
    ctx.set('Content-Range', `bytes */${bytes}`)
    return
  }
  ctx.status = 206
  ctx.set('Content-Range', `bytes ${first}-${last}/${bytes}`)
  ctx.length = last - first + 1
  ctx.body = createReadStream(path, { start: first, end: last })
}
