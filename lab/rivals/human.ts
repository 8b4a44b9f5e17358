import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The library's results for one face. */
interface RivalFace {
  readonly embedding?: readonly number[]
  /** 0...1, from its antispoof and liveness networks. */
  readonly real?: number
  readonly live?: number
}

/** The part of @vladmandic/human that we use. The types in its package cannot be resolved. */
export interface Human {
  readonly tf: {
    tensor(data: Uint8Array, shape: readonly number[], type: 'int32'): object
    dispose(tensor: object): void
  }
  load(): Promise<void>
  detect(input: object): Promise<{ face: RivalFace[] }>
}

/**
 * The part of the configuration that selects networks. Networks that are absent are off. Everything else keeps its default, except that it only
 * looks for one face.
 */
export interface HumanSettings {
  readonly detector?: object
  readonly mesh?: object
  readonly iris?: object
  readonly emotion?: object
  readonly description?: object
  readonly antispoof?: object
  readonly liveness?: object
}

const require = createRequire(import.meta.url)
const human = dirname(dirname(require.resolve('@vladmandic/human')))
const backend = dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'))
const on = { enabled: true }
const off = { enabled: false }

/** Detector, mesh, iris, emotion, description (embedding, age, gender), antispoof and liveness. */
export const everyNetwork = {
  ...{ mesh: on, iris: on, emotion: on, description: on, antispoof: on, liveness: on },
} as const satisfies HumanSettings

/** Opens @vladmandic/human with its WebAssembly backend, which uses a single thread in Node. Every picture is treated as a new one. */
export async function openHuman(settings: HumanSettings = everyNetwork): Promise<Human> {
  const { detector, ...networks } = settings
  const usual = globalThis.fetch
  globalThis.fetch = readFromDisk
  const { Human: Rival } = require(join(human, 'dist/human.node-wasm.js')) as {
    Human: new (configuration: object) => Human
  }
  const rival = new Rival({
    backend: 'wasm',
    wasmPath: join(backend, 'dist/'),
    modelBasePath: pathToFileURL(join(human, 'models/')).href,
    cacheSensitivity: 0,
    face: {
      ...on,
      detector: { maxDetected: 1, ...detector },
      ...{ mesh: off, iris: off, emotion: off, description: off, antispoof: off, liveness: off },
      ...networks,
    },
    ...{ body: off, hand: off, object: off, gesture: off },
  })
  await rival.load()
  globalThis.fetch = usual
  return rival
}

/** The library fetches its models by file URL, which Node's own fetch rejects. It does not fetch anything else. */
async function readFromDisk(address: unknown): Promise<Response> {
  const type = String(address).endsWith('.json') ? 'application/json' : 'application/octet-stream'
  return new Response(await readFile(new URL(String(address))), { headers: { 'Content-Type': type } })
}
