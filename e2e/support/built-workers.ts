import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Worker as Thread } from 'node:worker_threads'
import type { Page } from '@playwright/test'

/** What the analysis workers answer, as far as hosts are compared by it. */
export interface Seen {
  readonly face?: {
    readonly embedding: ArrayLike<number>
    readonly live: { readonly raw: number; readonly blurred: number }
    readonly pose: { readonly yaw: number; readonly pitch: number }
    readonly gender: { readonly male: number }
    readonly expressions: Readonly<Record<string, number>>
  }
}

/** An analysis worker of the built product, asked in Comlink's messages. */
export interface BuiltWorker {
  analyse(picture: Buffer, type: 'image/png' | 'image/jpeg'): Promise<Seen>
  stop(): Promise<void>
}

const wanted = { embedding: true, liveness: 'full', demographic: 'light', expression: true } as const
const script = resolve('dist/server/analysis.worker.js')

/** Makes onnxruntime-node as absent as on a machine for which it is not built. */
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

/** The server's worker in a thread of this process, with the native runtime or where that one is absent. */
export function startServerWorker(runtime: keyof typeof programs): BuiltWorker {
  const worker = new Thread(programs[runtime], { eval: true })
  const asked = new Map<string, (answer: { type: string; value: unknown }) => void>()
  const failed = new Promise<never>((_, reject) => worker.once('error', reject))
  failed.catch(() => undefined)
  worker.on('message', ({ id, ...answer }) => asked.get(id)?.(answer))
  let count = 0
  return {
    async analyse(picture) {
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

/** The page's worker, started in a page of the product: its policy and its files are those of a visitor. */
export async function startPageWorker(page: Page, origin: string): Promise<BuiltWorker> {
  await page.goto(`${origin}/verification/unknown`)
  const assets = readdirSync('dist/web/assets')
  const file = assets.find((name) => /^analysis\.worker-.*\.js$/.test(name))!
  const worker = await page.evaluateHandle(
    (address) => new Worker(address, { type: 'module' }),
    `/assets/${file}`,
  )
  return {
    async analyse(picture, type) {
      const answer = await worker.evaluate(askInPage, { picture: picture.toString('base64'), type, wanted })
      return answer as Seen
    },
    stop: () => worker.evaluate((running) => running.terminate()),
  }
}

/** Runs in the page. */
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
  return new Promise((resolve, reject) => {
    const hear = ({ data }: MessageEvent) => {
      if (data.id !== id) return
      worker.removeEventListener('message', hear)
      if (data.type !== 'RAW') return reject(new Error(JSON.stringify(data.value)))
      const { face } = data.value
      if (face === undefined) return resolve({})
      const { live, pose, gender, expressions } = face
      resolve({ face: { embedding: Array.from(face.embedding), live, pose, gender, expressions } })
    }
    worker.addEventListener('message', hear)
    worker.addEventListener('error', () => reject(new Error('the worker of the page failed')))
    const argumentList = [bitmap, wanted].map((value) => ({ type: 'RAW', value }))
    worker.postMessage({ id, type: 'APPLY', path: ['analyse'], argumentList }, [bitmap])
  })
}
