import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BuiltFile } from '../workers/web/built-file.ts'
import { bundle } from './client.ts'

/** The addresses that the one document is kept under; each is served with headers of its own. */
const pages = ['/verification', '/popup']

/** Builds the service worker for a folder of built pages, with the list of what is in it, and the one that takes it back. */
export async function buildServiceWorker(folder: string): Promise<void> {
  const builtFiles = await listFiles(folder)
  await bundle('workers/web/leaving.worker.ts', folder, 'leaving-worker.js', { format: 'iife' })
  await bundle('workers/web/service.worker.ts', folder, 'service-worker.js', {
    format: 'iife',
    define: { builtFiles: JSON.stringify(builtFiles) },
  })
}

async function listFiles(folder: string): Promise<BuiltFile[]> {
  const document = await readFile(join(folder, 'index.html'))
  const named = new Set(document.toString().match(/\/assets\/[^"]+/g))
  const names = await readdir(join(folder, 'assets'))
  const assets = names.sort().map(async (name) => {
    const address = `/assets/${name}`
    const content = await readFile(join(folder, 'assets', name))
    return { address, integrity: integrityOf(content), shell: named.has(address) }
  })
  const shells = pages.map((address) => ({ address, integrity: integrityOf(document), shell: true }))
  return [...shells, ...(await Promise.all(assets))]
}

function integrityOf(content: Buffer): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
