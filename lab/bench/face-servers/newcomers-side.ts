import { randomInt } from 'node:crypto'
import { embeddingModel, toUnit } from '../../../models/rules/embedding.ts'
import { type Addresses, accountId, collectionId, openDeployment } from './filled-servers.ts'

/** What a process that keeps newcomers is to do. */
export interface NewcomersOrder {
  readonly addresses: Addresses
  /** Before it is counted: codes are taken in meanwhile. */
  readonly warmUpMilliseconds: number
  readonly milliseconds: number
  /** Calls at once. */
  readonly atOnce: number
  /** Embeddings whose mixtures are people who are not there. */
  readonly parts: readonly Float32Array[]
}

/** How many were searched, and kept where they were not there. */
export interface Newcomers {
  readonly calls: number
  readonly kept: number
}

process.on('disconnect', () => process.exit())
process.on('message', (order: NewcomersOrder) => void run(order).then((found) => process.send!(found)))

async function run(order: NewcomersOrder): Promise<Newcomers> {
  const { addresses, warmUpMilliseconds, milliseconds, atOnce, parts } = order
  const deployment = await openDeployment(addresses)
  const from = performance.now() + warmUpMilliseconds
  const until = from + milliseconds
  let [calls, kept] = [0, 0]

  async function searchOrIndex(embedding: Float32Array): Promise<void> {
    const { access } = deployment
    await access.ahead(accountId, collectionId, (collection) => collection.closest({ first: embedding }, 80))
    const isNew = await access.change(accountId, collectionId, async (collection) => {
      if ((await collection.closest({ first: embedding }, 80)) !== undefined) return { answer: false }
      return { answer: true, change: collection.add({ externalId: null, embeddingModel, embedding }) }
    })
    if (performance.now() < from) return
    calls++
    if (isNew) kept++
  }
  async function client(): Promise<void> {
    while (performance.now() < until) await searchOrIndex(mixtureOf(parts))
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  await deployment.close()
  return { calls, kept }
}

/** Somebody who resembles several real people a little. */
function mixtureOf(parts: readonly Float32Array[]): Float32Array {
  const drawn = Array.from({ length: 24 }, () => parts[randomInt(parts.length)]!)
  const [first] = drawn
  return toUnit(first!.map((_, i) => drawn.reduce((sum, part) => sum + part[i]! * (randomInt(2) * 2 - 1), 0)))
}
