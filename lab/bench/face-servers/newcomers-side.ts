import { randomInt } from 'node:crypto'
import { toUnit } from '../../../models/rules/embedding.ts'
import { type Addresses, openDeployment } from './filled-servers.ts'
import { searchOrIndex } from './newcomer.ts'

/** Tells a process how to add newcomers. */
export interface NewcomersOrder {
  readonly addresses: Addresses
  /** The index for faces that were never moved. */
  readonly faceIndex: 'memory' | 'postgres'
  /** Not counted, because the codes are still being loaded. */
  readonly warmUpMilliseconds: number
  /** Without a limit, it answers after the first calls and continues until it is asked to stop. */
  readonly milliseconds: number
  /** The number of concurrent calls. */
  readonly atOnce: number
  /** Embeddings to mix into people who are not in the gallery. */
  readonly parts: readonly Float32Array[]
}

/** How many newcomers were searched for, and how many were kept because they were not found. */
export interface Newcomers {
  readonly calls: number
  readonly kept: number
  readonly failed: number
  readonly longestMilliseconds: number
  /** This process's processor time while counting. */
  readonly processorMilliseconds: number
}

process.on('disconnect', () => process.exit())
process.on('message', (order: NewcomersOrder | 'end') => {
  if (order === 'end') isEnded = true
  else void run(order).then((found) => process.send!(found))
})
let isEnded = false

async function run(order: NewcomersOrder): Promise<Newcomers> {
  const { addresses, faceIndex, warmUpMilliseconds, milliseconds, atOnce, parts } = order
  const { access, close } = await openDeployment(addresses, 'process', faceIndex)
  const from = performance.now() + warmUpMilliseconds
  const until = from + milliseconds
  const found = { calls: 0, kept: 0, failed: 0, longestMilliseconds: 0 }
  let usedBefore: NodeJS.CpuUsage | undefined

  async function call(): Promise<void> {
    const started = performance.now()
    const isNew = await searchOrIndex(access, mixtureOf(parts)).catch((error: unknown) => {
      console.error(String(error))
      return undefined
    })
    if (performance.now() < from) return
    usedBefore ??= process.cpuUsage()
    found.calls++
    if (isNew === true) found.kept++
    if (isNew === undefined) found.failed++
    found.longestMilliseconds = Math.max(found.longestMilliseconds, performance.now() - started)
  }
  async function client(): Promise<void> {
    while (performance.now() < until && !isEnded) await call()
  }
  if (milliseconds === Number.POSITIVE_INFINITY) {
    await searchOrIndex(access, mixtureOf(parts))
    process.send!('under way')
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  const { user, system } = process.cpuUsage(usedBefore)
  await close()
  return { ...found, processorMilliseconds: (user + system) / 1000 }
}

/** A person who slightly resembles several real ones. */
function mixtureOf(parts: readonly Float32Array[]): Float32Array {
  const drawn = Array.from({ length: 24 }, () => parts[randomInt(parts.length)]!)
  const [first] = drawn
  return toUnit(first!.map((_, i) => drawn.reduce((sum, part) => sum + part[i]! * (randomInt(2) * 2 - 1), 0)))
}
