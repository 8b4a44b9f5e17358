import type { CameraCause } from '#web/visit/capture/camera/camera-problem.ts'

/** A module of one function with one SIMD instruction: it validates only where WASM SIMD is known. */
const simdModule = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
])

/** What a browser must have, asked before the link is consumed: it must still open elsewhere. */
export interface Abilities {
  readonly worker: boolean
  readonly moduleWorker: boolean
  readonly simd: boolean
  readonly imageBitmap: boolean
  readonly mediaDevices: boolean
}

/** A browser that knows module workers reads the option; the address, being none, keeps a worker from starting. */
function knowsModuleWorkers(): boolean {
  let isRead = false
  const options = {
    get type() {
      isRead = true
      return 'module' as const
    },
  }
  try {
    new Worker('http://[', options).terminate()
  } catch {
    // no address at all
  }
  return isRead
}

/** Looks at this browser. */
export function readAbilities(): Abilities {
  return {
    worker: typeof Worker === 'function' && typeof OffscreenCanvas === 'function',
    moduleWorker: knowsModuleWorkers(),
    simd: typeof WebAssembly === 'object' && WebAssembly.validate(simdModule),
    imageBitmap: typeof createImageBitmap === 'function',
    mediaDevices: typeof navigator.mediaDevices?.getUserMedia === 'function',
  }
}

/** Why this browser will not do, or undefined. */
export function unsuitedBrowser(abilities: Abilities): CameraCause | undefined {
  const { worker, moduleWorker, simd, imageBitmap } = abilities
  if (!worker || !moduleWorker || !simd || !imageBitmap) return 'oldBrowser'
  return abilities.mediaDevices ? undefined : 'unsupportedApp'
}
