/** How much memory a network's step needs. */
export interface BufferRequest {
  readonly output: string
  /** The size of its output in bytes. */
  readonly bytes: number
  readonly inputs: readonly string[]
  /** How many bytes it needs while it runs. */
  readonly scratch: number
}

/** The position of each value within one block of memory. */
export interface MemoryPlan {
  readonly bytes: number
  /** Byte offsets from the start of the block, by value name. */
  readonly offsets: ReadonlyMap<string, number>
  /** The offset of each step's scratch memory, by the name of its output. */
  readonly scratch: ReadonlyMap<string, number>
}

interface BufferRange {
  readonly start: number
  readonly end: number
}

const alignment = 64

/** Gives each value the lowest offset that is free from the step that writes it until the last step that reads it. */
export function planMemory(requests: readonly BufferRequest[], results: ReadonlySet<string>): MemoryPlan {
  const lastUse = new Map<string, number>()
  for (const [at, { inputs }] of requests.entries()) for (const name of inputs) lastUse.set(name, at)
  const held = new Map<string, BufferRange>()
  const offsets = new Map<string, number>()
  const scratch = new Map<string, number>()
  let bytes = 0
  const allocate = (key: string, wanted: number) => {
    const start = lowestFree([...held.values()], wanted)
    held.set(key, { start, end: start + wanted })
    bytes = Math.max(bytes, start + wanted)
    return start
  }
  for (const [at, request] of requests.entries()) {
    offsets.set(request.output, allocate(request.output, request.bytes))
    if (request.scratch > 0) scratch.set(request.output, allocate('scratch', request.scratch))
    held.delete('scratch')
    for (const name of request.inputs) if (lastUse.get(name) === at && !results.has(name)) held.delete(name)
  }
  return { bytes, offsets: offsets, scratch }
}

function lowestFree(held: readonly BufferRange[], bytes: number): number {
  let start = 0
  for (const one of [...held].sort((a, b) => a.start - b.start)) {
    if (one.start - start >= bytes) break
    start = Math.max(start, Math.ceil(one.end / alignment) * alignment)
  }
  return start
}
