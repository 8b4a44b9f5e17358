import { plainKernel, relaxedKernel } from './compiled-kernel.ts'

type Numbers = (...numbers: number[]) => void

/** The functions of kernel.as, which says what they take. Addresses are bytes of its memory; 0 where there is none. */
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
  /** So many bytes of zeros, for good. @returns their address @throws {RangeError} where there is no more memory */
  take(bytes: number): number
  /** Takes memory for numbers, and writes them there. @returns their address */
  keep(numbers: Float32Array): number
  /** The numbers at an address: a view, void as soon as anything is taken. */
  numbers(address: number, count: number): Float32Array<ArrayBuffer>
}

const pageBytes = 65_536
/** Memory grows by 4 MB at least, since some browsers copy all of it each time, and to 512 MB at most: all networks take 35. */
const growth = { least: 64, most: 8192 } as const
/** Addresses are multiples of this; the first such is never given away: 0 means that there is none. */
const alignment = 64

/** Opens the kernel; `fastest` takes the instructions that this engine has. */
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
