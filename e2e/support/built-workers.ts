import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Worker as Thread } from 'node:worker_threads'
import type { Page } from '@playwright/test'

interface SeenBox {
  readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

/** The part of a worker's answer that is compared across hosts. */
export interface Seen {
  readonly face?: SeenBox & {
    readonly landmarks: ArrayLike<number>
    readonly embedding: ArrayLike<number>
    readonly live: { readonly raw: number; readonly blurred: number }
    readonly pose: { readonly yaw: number; readonly pitch: number }
    readonly age: { readonly prediction: number; readonly uncertainty: number }
    readonly gender: { readonly male: number }
    readonly expressions: Readonly<Record<string, number>>
    readonly eyesClosed: { readonly left: number; readonly right: number }
  }
  readonly others: readonly SeenBox[]
}

/** The built product's analysis worker, called with Comlink's messages. */
export interface BuiltWorker {
  /** `wanted` defaults to everything that a page can analyse. */
  analyse(picture: Buffer, type: 'image/png' | 'image/jpeg', wanted?: object): Promise<Seen>
  stop(): Promise<void>
}

/** Everything that a page can analyse about a face. */
const everything = {
  embedding: true,
  liveness: 'full',
  demographic: 'light',
  expression: 'full',
  eyes: true,
} as const
const script = resolve('dist/server/analysis.worker.js')

/** Hides onnxruntime-node, as on platforms that it is not built for. */
const withoutNative = `
  export async function resolve(name, context, next) {
    if (name === 'onnxruntime-node') throw new Error('not built for this machine')
    return next(name, context)
  }`

const programs = {
  native: `import('onnxruntime-node').then(() => import(${JSON.stringify(script)}))`,
  wasm: `
    require('node:module').register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(withoutNative))})
    import('onnxruntime-node').then(
      () => { throw new Error('the native runtime should have been absent') },
      () => import(${JSON.stringify(script)}),
    )`,
} as const

/** The server's worker in one of this process's threads, with or without the native runtime. */
export function startServerWorker(runtime: keyof typeof programs): BuiltWorker {
  // Set as in the server's main thread; otherwise, the worker would not use the native runtime.
  process.env.ORT_DISABLE_TELEMETRY = '1'
  const worker = new Thread(programs[runtime], { eval: true })
  const asked = new Map<string, (answer: { type: string; value: unknown }) => void>()
  const failed = new Promise<never>((_, reject) => worker.once('error', reject))
  failed.catch(() => undefined)
  worker.on('message', ({ id, ...answer }) => asked.get(id)?.(answer))
  let count = 0
  return {
    async analyse(picture, _type, wanted = everything) {
      const id = String(++count)
      const answered = new Promise<{ type: string; value: unknown }>((done) => asked.set(id, done))
      const value = Uint8Array.from(picture)
      worker.postMessage({ id, type: 'APPLY', path: ['analyse'], argumentList: [raw(value), raw(wanted)] })
      const answer = await Promise.race([answered, failed])
      if (answer.type !== 'RAW') throw new Error(`the worker answered ${JSON.stringify(answer.value)}`)
      return answer.value as Seen
    },
    stop: async () => void (await worker.terminate()),
  }
}

function raw(value: unknown) {
  return { type: 'RAW', value }
}

/** The page's worker, started in one of the product's pages with the policies and files that a visitor gets. */
export async function startPageWorker(page: Page, origin: string): Promise<BuiltWorker> {
  await page.goto(`${origin}/verification/unknown`)
  const assets = readdirSync('dist/web/assets')
  const file = assets.find((name) => /^analysis\.worker-.*\.js$/.test(name))!
  const worker = await page.evaluateHandle(
    (address) => new Worker(address, { type: 'module' }),
    `/assets/${file}`,
  )
  return {
    async analyse(picture, type, wanted = everything) {
      const answer = await worker.evaluate(askInPage, { picture: picture.toString('base64'), type, wanted })
      return answer as Seen
    },
    stop: () => worker.evaluate((running) => running.terminate()),
  }
}

/** Runs in the page. It must not contain named functions, because tsx would wrap them in a helper that pages do not have. */
async function askInPage(
  worker: Worker,
  { picture, type, wanted }: { picture: string; type: string; wanted: object },
): Promise<unknown> {
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type }), {
    colorSpaceConversion: 'none',
    premultiplyAlpha: 'none',
  })
  const id = crypto.randomUUID()
  const heard = new AbortController()
  return new Promise((resolve, reject) => {
    worker.addEventListener(
      'message',
      ({ data }) => {
        if (data.id !== id) return
        heard.abort()
        if (data.type !== 'RAW') return reject(new Error(JSON.stringify(data.value)))
        // Only JSON can be passed out of the page.
        const text = JSON.stringify(data.value, (_, value) =>
          ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value,
        )
        resolve(JSON.parse(text))
      },
      { signal: heard.signal },
    )
    worker.addEventListener('error', () => reject(new Error('the worker of the page failed')), {
      signal: heard.signal,
    })
    const argumentList = [bitmap, wanted].map((value) => ({ type: 'RAW', value }))
    worker.postMessage({ id, type: 'APPLY', path: ['analyse'], argumentList }, [bitmap])
  })
}
