import { plainKernel, relaxedKernel } from './compiled-kernel.ts'

type Numbers = (...numbers: number[]) => void

/** The functions in kernel.as, which documents their parameters. Addresses are byte offsets into the kernel's memory; 0 means none. */
type Functions = Readonly<
  Record<
    | 'multiply'
    | 'windows'
    | 'depthwise'
    | 'maxPool'
    | 'average'
    | 'add'
    | 'scale'
    | 'interleave'
    | 'narrow'
    | 'upsample2x',
    Numbers
  >
>

/** The kernel with its memory. */
export interface Kernel extends Functions {
  readonly instructions: 'plain' | 'relaxed'
  /** Allocates zeroed bytes permanently. @returns their address @throws {RangeError} if the memory is exhausted */
  take(bytes: number): number
  /** Allocates memory for some numbers and copies them there. @returns their address */
  keep(numbers: Float32Array): number
  /** A view of the numbers at an address. It becomes invalid with the next allocation. */
  numbers(address: number, count: number): Float32Array<ArrayBuffer>
}

const pageBytes = 65_536
/** Memory grows in steps of at least 4 MB, since some browsers copy all of it each time, up to 512 MB. All networks together need 35 MB. */
const growth = { least: 64, most: 8192 } as const
/** Addresses are multiples of this. The first one is never allocated, because 0 means none. */
const alignment = 64

/** Opens the kernel. With `fastest`, uses the best instructions that this engine supports. */
export function openKernel(instructions: Kernel['instructions'] | 'fastest' = 'fastest'): Kernel {
  const relaxed = bytesOf(relaxedKernel)
  const chosen =
    instructions === 'fastest' ? (WebAssembly.validate(relaxed) ? 'relaxed' : 'plain') : instructions
  const memory = new WebAssembly.Memory({ initial: growth.least, maximum: growth.most })
  const module = new WebAssembly.Module(chosen === 'relaxed' ? relaxed : bytesOf(plainKernel))
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  let free = alignment
  const take = (bytes: number) => {
    const address = free
    const next = address + Math.ceil(bytes / alignment) * alignment
    const missing = next - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.max(growth.least, Math.ceil(missing / pageBytes)))
    free = next
    return address
  }
  const numbers = (address: number, count: number) => new Float32Array(memory.buffer, address, count)
  return {
    ...(exports as unknown as Functions),
    instructions: chosen,
    take,
    numbers,
    keep(given) {
      const address = take(4 * given.length)
      numbers(address, given.length).set(given)
      return address
    },
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}
