import * as Comlink from 'comlink'

/** The part of @vladmandic/human that this bench uses. */
interface Human {
  load(): Promise<void>
  detect(input: ImageBitmap): Promise<{ face: { tensor?: unknown }[] }>
}

const on = { enabled: true }
const off = { enabled: false }
/** Analyses every picture, as the product does. */
const always = { ...on, skipFrames: 0, skipTime: 0 }

/**
 * [Note: Like for like] A single WebAssembly thread in a worker, pictures of the same size, and the same questions at the same rate: a detector
 * every 700 ms, and mesh, expression and liveness for each picture. Everything else is turned off.
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

// The worker cannot see the page's query string, so `prepare` tells it which networks to load.
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
