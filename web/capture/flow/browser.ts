import { type Ability, abilities } from '#shared/browsers/floors.ts'
import type { CameraCause } from '#web/capture/analysis/camera/camera-problem.ts'

/** A module with a single SIMD instruction; it only validates if the browser supports WebAssembly SIMD. */
const simdModule = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
])

/** Required features, checked before the link is consumed, so that it can still be opened in another browser. */
export type Abilities = Readonly<Record<Ability, boolean>>

/** Browsers with module workers read the `type` option; the invalid address prevents a worker from starting. */
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
    // expected: the address is invalid
  }
  return isRead
}

/** Detects the features of this browser. */
export function readAbilities(): Abilities {
  return {
    worker: typeof Worker === 'function' && typeof OffscreenCanvas === 'function',
    moduleWorker: knowsModuleWorkers(),
    simd: typeof WebAssembly === 'object' && WebAssembly.validate(simdModule),
    imageBitmap: typeof createImageBitmap === 'function',
    mediaDevices: typeof navigator.mediaDevices?.getUserMedia === 'function',
  }
}

/** Why this browser is unsuitable, or undefined. A browser that lacks only the camera belongs to an app. */
export function unsuitedBrowser(has: Abilities): CameraCause | undefined {
  const lacking = abilities.filter((ability) => !has[ability])
  if (lacking.length === 0) return undefined
  return lacking.every((ability) => ability === 'mediaDevices') ? 'unsupportedApp' : 'oldBrowser'
}
