import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltFile } from '../workers/web/built-file.ts'
import { bundle } from './client.ts'

/**
 * Documents and the addresses under which each is cached; each address has its own response headers. Files named by the
 * capture page are cached at once, since every visit needs them. [Note: A kiosk asks for itself] The kiosk's page and files are cached only
 * at the request of a kiosk, because other devices do not need them.
 */
const documents = [
  { file: 'index.html', addresses: ['/verification', '/popup'], shell: true },
  { file: 'kiosk.html', addresses: ['/kiosk'], shell: false },
] as const

/** Builds the service worker for a folder of built pages, with the list of its files, and another one that unregisters it. */
export async function buildServiceWorker(folder: string): Promise<void> {
  const builtFiles = await listFiles(folder)
  await bundle('workers/web/leaving.worker.ts', folder, 'leaving-worker.js', { format: 'iife' })
  await bundle('workers/web/service.worker.ts', folder, 'service-worker.js', {
    format: 'iife',
    define: { builtFiles: JSON.stringify(builtFiles) },
  })
}

async function listFiles(folder: string): Promise<BuiltFile[]> {
  const kept = await Promise.all(
    documents.map(async (one) => ({ ...one, content: await readFile(join(folder, one.file)) })),
  )
  const named = new Set(kept.flatMap(({ shell, content }) => (shell ? assetsNamedIn(content) : [])))
  const entries = await readdir(join(folder, 'assets'), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const assets = names.sort().map(async (name) => {
    const address = `/assets/${name}`
    const content = await readFile(join(folder, 'assets', name))
    return { address, integrity: integrityOf(content), shell: named.has(address) }
  })
  const pages = kept.flatMap(({ addresses, shell, content }) =>
    addresses.map((address) => ({ address, integrity: integrityOf(content), shell })),
  )
  return [...pages, ...(await Promise.all(assets))]
}

function assetsNamedIn(document: Buffer): readonly string[] {
  return document.toString().match(/\/assets\/[^"]+/g) ?? []
}

function integrityOf(content: Buffer): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
