import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const [compressBrotli, compressGzip] = [promisify(brotliCompress), promisify(gzip)]
const cacheFolder = 'node_modules/.cache/brotli'
const compressible = /\.(css|html|js|json|mjs|onnx|svg|txt|wasm|webmanifest)$/
const largeBytes = 8 * 1024 * 1024
/** Compressed files are kept only if they save at least this share. */
const leastSaving = 0.03

/** [Note: Quality 9 for the runtime] The one large file is the fallback for the kernel and is rarely downloaded: 2 s of compression instead of 40. */
function qualityFor(bytes: number): number {
  return bytes > largeBytes ? 9 : 11
}

/** Writes a `.br` and a `.gz` file next to each file that gets smaller. `compressedBytes` counts the brotli files. */
export async function compressFolder(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && compressible.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(paths.map(compressFile))
  const sum = (pick: (size: { bytes: number; compressedBytes: number }) => number) =>
    sizes.reduce((total, size) => total + pick(size), 0)
  return {
    files: paths.length,
    bytes: sum((size) => size.bytes),
    compressedBytes: sum((size) => size.compressedBytes),
  }
}

async function compressFile(path: string): Promise<{ bytes: number; compressedBytes: number }> {
  const content = await readFile(path)
  const [brotli, gzipped] = [await compressed(content), await gzippedOf(content)]
  const isWorthIt = ({ length }: Buffer) => length <= content.length * (1 - leastSaving)
  if (isWorthIt(brotli)) await writeFile(`${path}.br`, brotli)
  if (isWorthIt(gzipped)) await writeFile(`${path}.gz`, gzipped)
  return { bytes: content.length, compressedBytes: isWorthIt(brotli) ? brotli.length : content.length }
}

/** Compressions in progress or done, by content: two files may be equal. */
const known = new Map<string, Promise<Buffer>>()

/** Compresses like every file of a page, with brotli. Results are cached by content. */
export function compressed(content: Buffer): Promise<Buffer> {
  const quality = qualityFor(content.length)
  return once(content, `q${quality}.br`, () =>
    compressBrotli(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  )
}

/** [Note: Browsers offer brotli only over https] Proxies and clients that accept only gzip get this form. */
function gzippedOf(content: Buffer): Promise<Buffer> {
  return once(content, 'q9.gz', () => compressGzip(content, { level: 9 }))
}

function once(content: Buffer, ending: string, compress: () => Promise<Buffer>): Promise<Buffer> {
  const name = `${createHash('sha256').update(content).digest('hex')}-${ending}`
  const found = known.get(name) ?? compressedAnew(join(cacheFolder, name), compress)
  known.set(name, found)
  return found
}

async function compressedAnew(cached: string, compress: () => Promise<Buffer>): Promise<Buffer> {
  const kept = await readFile(cached).catch(() => undefined)
  if (kept !== undefined) return kept
  const result = await compress()
  // Another build may write the same file concurrently.
  const part = `${cached}.${randomUUID()}.part`
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(part, result)
  await rename(part, cached)
  return result
}
