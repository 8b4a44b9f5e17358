import { cp } from 'node:fs/promises'
import { isBuiltFrom, noteBuiltFrom } from './build/built.ts'
import { buildClient, buildEmbedForPages } from './build/client.ts'
import { compressFolder } from './build/precompress.ts'
import { buildServiceWorker } from './build/service-worker.ts'
import { hashOfSources } from './build/source-hash.ts'
import { readWords } from './build/usage.ts'

const usage = `Usage: npm run build -- [--if-stale] [--pages]

Builds the pages, the server and the client into dist/.

  --if-stale   only where the sources have changed since the last build
  --pages      the pages alone`

/**
 * [Note: Two pages, two builds] Built together they would share their code, and every visit of the capture page would load
 * what the kiosk alone has a use for. The runtime, the weights and the worker come out the same, and stand there once.
 */
const kioskPage = { emptyOutDir: false, rollupOptions: { input: 'web/kiosk.html' } }

/** [Note: The console's files are kept by no device] Their own folder, which the service worker does not list. */
const consolePage = {
  emptyOutDir: false,
  assetsDir: 'assets/console',
  rollupOptions: { input: 'web/console.html' },
}

/** What a device can do, for whoever asks: kept by no device either. */
const devicePage = { ...consolePage, rollupOptions: { input: 'web/check-device.html' } }

/** What the analysis makes of a picture, for visitors of the demo: kept by no device either. */
const playgroundPage = { ...consolePage, rollupOptions: { input: 'web/playground.html' } }

/** [Note: The preview is a page of its own] What it is made of reaches no visitor: the capture page has no hook for a person who is drawn. */
const previewPage = { ...consolePage, rollupOptions: { input: 'web/console-preview.html' } }

/** The server reads them as they stand. */
const migrations = 'server/platform/store/drivers/postgres/migrations'

async function main(): Promise<void> {
  const flag = { type: 'boolean', default: false } as const
  const { values } = readWords(usage, { 'if-stale': flag, pages: flag })
  const hash = await hashOfSources()
  if (values['if-stale'] && (await isBuiltFrom(hash))) return
  const started = Date.now()
  console.log('Building; the first time this takes about a minute.')
  const { build } = await import('vite')
  await build({ logLevel: 'warn' })
  await build({ logLevel: 'warn', build: kioskPage })
  await build({ logLevel: 'warn', build: consolePage })
  await build({ logLevel: 'warn', build: previewPage })
  await build({ logLevel: 'warn', build: devicePage })
  await build({ logLevel: 'warn', build: playgroundPage })
  await buildServiceWorker('dist/web')
  await buildEmbedForPages('dist/web')
  const isWhole = !values.pages
  if (isWhole) await Promise.all([build({ logLevel: 'warn', build: { ssr: true } }), buildClient()])
  if (isWhole) await cp(migrations, 'dist/server/migrations', { recursive: true })
  const { files, bytes, compressedBytes } = await compressFolder('dist/web')
  if (isWhole) await noteBuiltFrom(hash)
  const megabytes = (count: number) => (count / 1e6).toFixed(1)
  console.log(`Compressed ${files} files from ${megabytes(bytes)} to ${megabytes(compressedBytes)} MB.`)
  console.log(`Built in ${Math.round((Date.now() - started) / 1000)} s.`)
}

await main()
