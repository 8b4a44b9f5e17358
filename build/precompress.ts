import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
const cacheFolder = 'node_modules/.cache/brotli'
const compressible = /\.(css|html|js|json|mjs|onnx|svg|txt|wasm|webmanifest)$/
const largeBytes = 8 * 1024 * 1024
/** Worth its own file only where it saves at least this share. */
const leastSaving = 0.03

/** [Note: Quality 9 for the runtime] The one large file is what stands in where the kernel cannot, and hardly ever fetched: 2 s, not 40. */
function qualityFor(bytes: number): number {
  return bytes > largeBytes ? 9 : 11
}

/** Puts a `.br` beside every file of a folder that gains from it. */
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
  const result = await compressed(content)
  const isWorthIt = result.length <= content.length * (1 - leastSaving)
  if (isWorthIt) await writeFile(`${path}.br`, result)
  return { bytes: content.length, compressedBytes: isWorthIt ? result.length : content.length }
}

/** What is being compressed or was: two files may hold the same. */
const known = new Map<string, Promise<Buffer>>()

/** The bytes as every file of the page is compressed. By content: what was compressed once is never compressed again. */
export function compressed(content: Buffer): Promise<Buffer> {
  const name = `${createHash('sha256').update(content).digest('hex')}-q${qualityFor(content.length)}.br`
  const found = known.get(name) ?? compressedAnew(content, join(cacheFolder, name))
  known.set(name, found)
  return found
}

async function compressedAnew(content: Buffer, cached: string): Promise<Buffer> {
  const kept = await readFile(cached).catch(() => undefined)
  if (kept !== undefined) return kept
  const result = await compress(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: qualityFor(content.length),
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
  // Another build may write it at the same time.
  const part = `${cached}.${randomUUID()}.part`
  await mkdir(cacheFolder, { recursive: true })
  await writeFile(part, result)
  await rename(part, cached)
  return result
}
