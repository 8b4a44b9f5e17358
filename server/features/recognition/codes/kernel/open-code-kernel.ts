import { engine, kernelBytes, type WasmMemory } from '#shared/web-assembly.ts'
import { plainKernel } from './compiled-kernel.ts'

/** The function of kernel.as, which documents its parameters. Addresses are bytes of its memory. */
export interface CodeKernel {
  near(codes: number, count: number, bytes: number, query: number, most: number, found: number): number
}

/** The kernel over a memory that its owner may grow. */
export function openCodeKernel(memory: WasmMemory): CodeKernel {
  const module = new engine.Module(kernelBytes(plainKernel))
  const { exports } = new engine.Instance(module, { env: { memory, abort: () => undefined } })
  return exports as CodeKernel
}
