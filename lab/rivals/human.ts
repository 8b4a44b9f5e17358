import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What it finds in one face. */
interface RivalFace {
  readonly embedding?: readonly number[]
  /** 0...1: its antispoof and its liveness network. */
  readonly real?: number
  readonly live?: number
}

/** The part of @vladmandic/human that is used; what its package says of its entries no compiler resolves. */
export interface Human {
  readonly tf: {
    tensor(data: Uint8Array, shape: readonly number[], type: 'int32'): object
    dispose(tensor: object): void
  }
  load(): Promise<void>
  detect(input: object): Promise<{ face: RivalFace[] }>
}

/** Of its own configuration; what is not set is as it ships. */
interface Settings {
  readonly detector?: object
}

const require = createRequire(import.meta.url)
const human = dirname(dirname(require.resolve('@vladmandic/human')))
const backend = dirname(require.resolve('@tensorflow/tfjs-backend-wasm/package.json'))
const on = { enabled: true }
const off = { enabled: false }

/**
 * @vladmandic/human on its WebAssembly backend, which has one thread in Node: detector, mesh, iris, emotion,
 * description (embedding, age, gender), antispoof and liveness of one face. Every picture is a new one for it.
 */
export async function openHuman({ detector = {} }: Settings = {}): Promise<Human> {
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
      ...{ mesh: on, iris: on, emotion: on, description: on, antispoof: on, liveness: on },
    },
    ...{ body: off, hand: off, object: off, gesture: off },
  })
  await rival.load()
  globalThis.fetch = usual
  return rival
}

/** It fetches its models also where they are files, which Node's own fetch refuses; it is given nothing else. */
async function readFromDisk(address: unknown): Promise<Response> {
  const type = String(address).endsWith('.json') ? 'application/json' : 'application/octet-stream'
  return new Response(await readFile(new URL(String(address))), { headers: { 'Content-Type': type } })
}
