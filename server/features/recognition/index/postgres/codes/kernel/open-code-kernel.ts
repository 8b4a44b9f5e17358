import { engine, kernelBytes, type WasmMemory } from '#shared/web-assembly.ts'
import { plainKernel } from './compiled-kernel.ts'

/** The function in kernel.as, where its parameters are documented. Addresses are bytes of the kernel's memory. */
export interface CodeKernel {
  near(codes: number, count: number, bytes: number, query: number, most: number, found: number): number
}

/** Opens the kernel on a memory that its owner may grow. */
export function openCodeKernel(memory: WasmMemory): CodeKernel {
  const module = new engine.Module(kernelBytes(plainKernel))
  const { exports } = new engine.Instance(module, { env: { memory, abort: () => undefined } })
  return exports as CodeKernel
}
