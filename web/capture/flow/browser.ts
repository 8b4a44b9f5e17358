import { type Ability, abilities } from '#shared/browsers/floors.ts'
import type { CameraCause } from '#web/wording/findings.ts'
import { showsPictures } from './honest-canvas.ts'

/** A module with a single SIMD instruction. It only validates if the browser supports WebAssembly SIMD. */
const simdModule = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98,
  11,
])

/** Required features, checked before the link is consumed, so that it can still be opened in another browser. */
export type Abilities = Readonly<Record<Ability, boolean>>

/** Browsers that support module workers read the `type` option. The invalid address keeps a worker from starting. */
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

/** Browser features that people can switch off even in current browsers. */
export interface Openness {
  readonly runsWebAssembly: boolean
  /** True if a canvas can be read back exactly as it was drawn. */
  readonly showsPictures: boolean
}

function readOpenness(): Openness {
  return { runsWebAssembly: typeof WebAssembly === 'object', showsPictures: showsPictures() }
}

/**
 * Why this browser cannot be used, or undefined. If only the camera is missing, the page is inside an app's built-in browser; if a
 * current browser lacks WebAssembly, someone has switched it off.
 */
export function unsuitedBrowser(
  has: Abilities,
  readOpen: () => Openness = readOpenness,
): CameraCause | undefined {
  const lacking = abilities.filter((ability) => !has[ability])
  if (lacking.every((ability) => ability === 'simd') && !readOpen().runsWebAssembly) return 'noWebAssembly'
  if (lacking.length === 0) return readOpen().showsPictures ? undefined : 'hiddenPictures'
  return lacking.every((ability) => ability === 'mediaDevices') ? 'unsupportedApp' : 'oldBrowser'
}
