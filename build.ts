import { cp } from 'node:fs/promises'
import { isBuiltFrom, noteBuiltFrom, statesOfSources } from './build/built.ts'
import { buildClient, buildEmbedForPages } from './build/client.ts'
import { compressFolder } from './build/precompress.ts'
import { buildServiceWorker } from './build/service-worker.ts'
import { hashOfSources } from './build/source-hash.ts'
import { readWords } from './build/usage.ts'

const usage = `Usage: npm run build -- [--if-stale] [--pages]

Builds the pages, the server and the client into dist/.

  --if-stale   only if the sources have changed since the last build
  --pages      only the pages`

/**
 * [Note: A build for each page] Pages that are built together share their code, so every visit of the capture page would load
 * code that only the kiosk uses. Files that several builds make alike have the same name, because it contains a hash of their
 * content, and so exist once.
 */
const pageBuild = (document: string) => ({
  emptyOutDir: false,
  rollupOptions: { input: `web/${document}` },
})

/**
 * [Note: The preview is a page of its own] Visitors never load its code: the capture page has no hook for a drawn person.
 * Devices store none of these pages.
 */
const unkeptPages = ['console.html', 'console-preview.html', 'check-device.html', 'playground.html']

/** The server reads them unchanged. */
const migrations = 'server/platform/store/drivers/postgres/migrations'

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const { values } = readWords(usage, { 'if-stale': flag, pages: flag })
  const files = await statesOfSources()
  const hash = await hashOfSources()
  if (values['if-stale'] && (await isBuiltFrom(hash))) {
    // Only modification times changed, so note them: the next start then need not read the sources. Ignores a folder without write permission.
    await noteBuiltFrom({ hash, files }).catch(() => undefined)
    return
  }
  const started = Date.now()
  console.log('Building. The first build takes about a minute.')
  const { build } = await import('vite')
  await build({ logLevel: 'warn' })
  await build({ logLevel: 'warn', build: pageBuild('kiosk.html') })
  // The service worker lists the files built so far, which are those of the pages that devices store.
  await buildServiceWorker('dist/web')
  for (const page of unkeptPages) await build({ logLevel: 'warn', build: pageBuild(page) })
  await buildEmbedForPages('dist/web')
  const isWhole = !values.pages
  if (isWhole) await Promise.all([build({ logLevel: 'warn', build: { ssr: true } }), buildClient()])
  if (isWhole) await cp(migrations, 'dist/server/migrations', { recursive: true })
  const compressed = await compressFolder('dist/web')
  if (isWhole) await noteBuiltFrom({ hash, files })
  const megabytes = (count: number) => (count / 1e6).toFixed(1)
  const { bytes, compressedBytes } = compressed
  console.log(
    `Compressed ${compressed.files} files from ${megabytes(bytes)} to ${megabytes(compressedBytes)} MB.`,
  )
  console.log(`Built in ${Math.round((Date.now() - started) / 1000)} s.`)
}

await main()
