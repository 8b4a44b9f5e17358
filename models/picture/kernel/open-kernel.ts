import { engine, kernelBytes, pageBytes, type WasmMemory } from '#shared/web-assembly.ts'
import { plainKernel } from './compiled-kernel.ts'

/** The functions in kernel.as, which documents their parameters. Addresses are byte offsets into the kernel's memory. */
interface Functions {
  widen(from: number, count: number, to: number): void
  halve(from: number, width: number, height: number, to: number): void
  sample(...numbers: number[]): void
  grey(...numbers: number[]): void
  mirror(from: number, to: number, width: number, rows: number): void
  noise(grey: number, width: number, height: number, to: number): void
  blurRows(...numbers: number[]): void
  blurColumns(...numbers: number[]): void
}

/** The kernel with its memory. */
export interface PictureKernel extends Functions {
  readonly memory: WasmMemory
  /** Grows the memory to at least this many bytes. Existing views of it may become invalid. */
  reach(bytes: number): void
}

/** More pages than any accepted picture and its derived data need. */
const mostPages = 1024
let compiled: object | undefined

/** Opens a kernel with a new memory. */
export function openPictureKernel(): PictureKernel {
  compiled ??= new engine.Module(kernelBytes(plainKernel))
  const memory = new engine.Memory({ initial: 1, maximum: mostPages })
  const { exports } = new engine.Instance(compiled, { env: { memory } })
  return {
    ...(exports as Functions),
    memory,
    reach(bytes) {
      const missing = bytes - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
    },
  }
}

/** The kernel if all of these arrays are in its memory, since it cannot access any others. */
export function kernelThatHolds(
  kernel: PictureKernel | undefined,
  ...views: readonly { readonly buffer: ArrayBufferLike }[]
): PictureKernel | undefined {
  return views.every(({ buffer }) => buffer === kernel?.memory.buffer) ? kernel : undefined
}
