/** What a step of a network needs room for. */
export interface Need {
  readonly output: string
  /** Bytes of its output. */
  readonly bytes: number
  readonly inputs: readonly string[]
  /** Bytes that it needs while it runs. */
  readonly scratch: number
}

/** Where values lie in one stretch of memory. */
export interface Room {
  readonly bytes: number
  /** Bytes from the start. */
  readonly places: ReadonlyMap<string, number>
  /** Where a step's scratch lies, by the name of its output. */
  readonly scratch: ReadonlyMap<string, number>
}

interface Held {
  readonly start: number
  readonly end: number
}

const step = 64

/** Gives each value the lowest place that is free from the step that writes it to the last that reads it. */
export function findRoom(needs: readonly Need[], results: ReadonlySet<string>): Room {
  const lastUse = new Map<string, number>()
  for (const [at, { inputs }] of needs.entries()) for (const name of inputs) lastUse.set(name, at)
  const held = new Map<string, Held>()
  const places = new Map<string, number>()
  const scratch = new Map<string, number>()
  let bytes = 0
  const hold = (key: string, wanted: number) => {
    const start = lowest([...held.values()], wanted)
    held.set(key, { start, end: start + wanted })
    bytes = Math.max(bytes, start + wanted)
    return start
  }
  for (const [at, need] of needs.entries()) {
    places.set(need.output, hold(need.output, need.bytes))
    if (need.scratch > 0) scratch.set(need.output, hold('scratch', need.scratch))
    held.delete('scratch')
    for (const name of need.inputs) if (lastUse.get(name) === at && !results.has(name)) held.delete(name)
  }
  return { bytes, places, scratch }
}

function lowest(held: readonly Held[], bytes: number): number {
  let start = 0
  for (const one of [...held].sort((a, b) => a.start - b.start)) {
    if (one.start - start >= bytes) break
    start = Math.max(start, Math.ceil(one.end / step) * step)
  }
  return start
}
