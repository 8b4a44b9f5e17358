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

/** The files of the built page by their address. Only what was there at the start is ever served. */
export type StaticFiles = ReadonlyMap<string, StaticFile>

/** Lists a folder once; each file with its precompressed forms. A folder that is not there has no files. */
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

/** [Note: Taken back] In the service worker's place one that leaves: devices forget it, and the files that it kept. */
export function withoutServiceWorker(files: StaticFiles): StaticFiles {
  const leaving = files.get('/leaving-worker.js')
  return leaving === undefined ? files : new Map([...files, ['/service-worker.js', leaving]])
}

/** Answers with a file, compressed where the client takes it. */
export function sendFile(ctx: Context, file: StaticFile, cacheControl: string): void {
  ctx.set('Cache-Control', cacheControl)
  ctx.vary('Accept-Encoding')
  ctx.set('ETag', file.tag)
  ctx.type = file.type === '.onnx' ? 'application/octet-stream' : file.type
  ctx.status = 200
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  // Smallest first: browsers name gzip before br, and mean no order by it.
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && ctx.acceptsEncodings(name))
  const variant = (encoding && file[encoding]) ?? file.plain
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding)
  ctx.length = variant.bytes
  ctx.body = createReadStream(variant.path)
}
