import * as Comlink from 'comlink'

/** The part of @vladmandic/human that is used. */
interface Human {
  load(): Promise<void>
  detect(input: ImageBitmap): Promise<{ face: { tensor?: unknown }[] }>
}

const on = { enabled: true }
const off = { enabled: false }
/** Computed for every picture, as ours is. */
const always = { ...on, skipFrames: 0, skipTime: 0 }

/**
 * [Note: Like for like] One thread of WebAssembly in a worker, pictures of the same size, and the same questions as often:
 * a detector every 700 ms, mesh, expression and liveness with each picture; what it would do beside that is off.
 */
const configuration = (whole: boolean) => ({
  backend: 'wasm',
  wasmPath: `${location.origin}/wasm/`,
  modelBasePath: `${location.origin}/models/`,
  warmup: 'none',
  filter: { width: 640, return: false, autoBrightness: false },
  face: {
    ...on,
    detector: { rotation: true, maxDetected: 1, skipTime: 700 },
    ...{ mesh: on, iris: off, emotion: always, liveness: always, antispoof: off },
    description: whole ? always : off,
  },
  ...{ body: off, hand: off, object: off, gesture: off, segmentation: off },
})

// The page's query is not the worker's: which networks are wanted comes with `prepare`.
const bundle = '/human.js'
const loading = import(/* @vite-ignore */ bundle) as Promise<{ Human: new (options: object) => Human }>
let rival: Human | undefined

const api = {
  async prepare({ embedding = false }: { embedding?: boolean }) {
    const { Human } = await loading
    rival = new Human(configuration(embedding))
    await rival.load()
  },
  async follow(bitmap: ImageBitmap) {
    const { face } = await rival!.detect(bitmap)
    bitmap.close()
    const { tensor: _tensor, ...found } = face[0] ?? {}
    return face[0] === undefined ? {} : { face: found }
  },
}

Comlink.expose(api)
