import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join, normalize } from 'node:path'
import { build } from 'vite'
import { compressed } from '../../../build/precompress.ts'
import type { Clip } from '../../../e2e/support/acted/clips.ts'

/** A site with the bare loop, the files of @vladmandic/human and the built product's files, all compressed in the same way. */
export interface LoopSite {
  /** The loop's address with either the product's worker or the rival's. */
  address(whose: 'ours' | 'human', wanted: object): string
  stop(): Promise<void>
}

const require = createRequire(import.meta.url)
const human = dirname(dirname(require.resolve('@vladmandic/human')))
const wasm = join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json')), 'dist')
const built = join('.cache', 'bench-capture')
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

/**
 * Bundles the loop and the rival as an integrator's page would, and serves them on a free port together with the camera's pictures. Browsers may
 * cache all files, just like the product's.
 */
export async function startLoopSite(clip: Clip): Promise<LoopSite> {
  await bundle()
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://127.0.0.1').pathname
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page)
      return
    }
    const picture = /^\/__actor\/(\d+)$/.exec(path)
    if (picture !== null) {
      const body = await readFile(clip.frames[Number(picture[1])]!)
      response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': body.length }).end(body)
      return
    }
    const file = fileOf(path)
    if (file === undefined) {
      response.writeHead(404).end()
      return
    }
    const body = await compressed(await readFile(file))
    const type = types[extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, {
      'content-type': type,
      'content-encoding': 'br',
      'content-length': body.length,
      'cache-control': 'public, max-age=31536000, immutable',
    })
    response.end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    address(whose, wanted) {
      const worker = whose === 'human' ? '/rival.worker.js' : ourWorker()
      const reads: Record<string, string> = whose === 'ours' ? { reads: 'camera' } : {}
      return `${origin}/?${new URLSearchParams({ worker, wanted: JSON.stringify(wanted), ...reads })}`
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const page = '<!doctype html><title>Loop</title><body><script type="module" src="/camera-loop.js"></script>'

async function bundle(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: built,
      target: 'es2022',
      rollupOptions: {
        input: {
          'camera-loop': 'lab/bench/capture/camera-loop.ts',
          'rival.worker': 'lab/bench/capture/rival.worker.ts',
          human: join(human, 'dist', 'human.esm.js'),
        },
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
}

function ourWorker(): string {
  const name = readdirSync('dist/web/assets').find((file) => /^analysis\.worker-.*\.js$/.test(file))
  if (name === undefined) throw new Error('the product is not built: npm run build')
  return `/assets/${name}`
}

function fileOf(path: string): string | undefined {
  const [, folder] = path.split('/')
  const root = { models: human, wasm: dirname(wasm), assets: join('dist', 'web') }[folder!] ?? built
  const name = folder === 'wasm' ? path.replace('/wasm/', '/dist/') : path
  const file = join(root, normalize(name))
  return existsSync(file) ? file : undefined
}
