import { IndexFull } from '#server/features/recognition/index/index-full.ts'
import type { PersonFilter } from '#server/features/recognition/index/person-filter.ts'
import type { Batch } from '#server/platform/store/store.ts'
import { Problem } from '#shared/problem.ts'
import type { RowMatch } from './face-rows.ts'
import { type OutgoingFace, packedShares } from './face-shares.ts'
import { createRecordShares, threadFor } from './record-shares.ts'
import type { RunningThread } from './start-search-thread.ts'
import { type Answer, buffersOf, type Order, type PackedRecords } from './wire.ts'

/** One collection's faces, distributed over the threads. Orders are executed in sequence. */
export interface ThreadedRows {
  /** How many faces the threads reported; correct after `settle`, until the next order. */
  readonly size: number
  /** The reason that the faces can no longer be searched; undefined while they can. */
  readonly loss: Error | undefined
  /** True if the threads can hold this many additional faces on top of every collection's existing faces. */
  hasRoomFor(count: number): boolean
  add(faces: readonly OutgoingFace[]): void
  /** Adds faces by their records, which are all sealed with one key; see wire.ts. */
  addRecords(records: Batch, model: string, key: Uint8Array): void
  /** After the last records and `settle`: frees spare buffers, and returns the records that no thread accepted, once. */
  takeRefused(): readonly Uint8Array[]
  remove(id: Uint8Array): void
  /**
   * Up to `most` faces from `atLeast` on, most similar first, with ties sorted by ID. With `perPerson`, only each external
   * ID's best face counts.
   * @throws {Problem} overloaded after a loss; IndexFull if the threads could not hold the faces
   */
  nearest(
    vector: Float32Array,
    atLeast: number,
    most: number,
    filter?: PersonFilter,
    perPerson?: boolean,
  ): Promise<RowMatch[]>
  hasExternalId(externalId: string): Promise<boolean>
  /** Resolves when every order has been executed; with `thoroughly`, also when the threads have finished learning codes. */
  settle(thoroughly?: boolean): Promise<void>
  close(): void
}

/** The threads that hold faces and search them. */
export interface SearchThreads {
  open(): ThreadedRows
  close(): Promise<void>
}

interface Options {
  readonly count: number
  readonly start: () => RunningThread
  /** The maximum number of faces that they hold together; unlimited if absent. */
  readonly mostFaces?: number | undefined
  /** Runs when a thread ends unexpectedly, or cannot hold a collection. In both cases, the faces are lost. */
  readonly onFailure: (error: Error) => void
}

type AskAnswer = Extract<Answer, { ask: number }>
type AskOrder = Extract<Order, { ask: number }>
type ThreadQuestion<K extends AskOrder['kind']> = Omit<Extract<AskOrder, { kind: K }>, 'ask' | 'collection'>

/** How records are sealed, and which model's records to accept. */
type RecordSeal = Pick<Extract<Order, { kind: 'addRecords' }>, 'model' | 'key'>

/** Unsolicited reports about a collection's rows. */
interface ThreadReport {
  lost(loss: Error, isFull: boolean): void
  refused(record: Uint8Array): void
  emptied(records: PackedRecords): void
}

interface Thread {
  readonly running: RunningThread
  readonly asked: Map<
    number,
    { resolve(answer: AskAnswer): void; reject(error: Error): void; collection: number }
  >
  readonly collections: Map<number, ThreadReport>
}

/** Starts the threads when the first collection is opened. */
export function createSearchThreads(options: Options): SearchThreads {
  const { count, start, onFailure, mostFaces = Number.POSITIVE_INFINITY } = options
  const threads: (Thread | undefined)[] = new Array(count).fill(undefined)
  let lastCollection = 0
  let lastAsk = 0
  let isClosed = false
  const opened = new Set<ThreadedRows>()
  const held = () => [...opened].reduce((sum, { size }) => sum + size, 0)

  function startThread(place: number): Thread {
    const thread: Thread = { running: start(), asked: new Map(), collections: new Map() }
    threads[place] = thread
    thread.running.onAnswer((answer) => receive(thread, answer, onFailure))
    void thread.running.failed.then((error) => {
      if (threads[place] === thread) threads[place] = undefined
      for (const collection of [...thread.collections.keys()]) lose(thread, collection, error, false)
      if (!isClosed) onFailure(error)
    })
    return thread
  }

  function ask<K extends AskOrder['kind']>(thread: Thread, collection: number, question: ThreadQuestion<K>) {
    const number = ++lastAsk
    return new Promise<AskAnswer>((resolve, reject) => {
      thread.asked.set(number, { resolve, reject, collection })
      thread.running.post({ ...question, ask: number, collection } as unknown as Order)
    })
  }

  return {
    open() {
      const collection = ++lastCollection
      const mine = Array.from(threads, (thread, place) => thread ?? startThread(place))
      const rows = openRows(mine, collection, {
        ask,
        hasRoomFor: (more) => held() + more <= mostFaces,
        closed: () => void opened.delete(rows),
      })
      opened.add(rows)
      return rows
    },
    async close() {
      isClosed = true
      await Promise.all(threads.map((thread) => thread?.running.stop()))
    },
  }
}

function receive(thread: Thread, answer: Answer, onFailure: Options['onFailure']): void {
  if ('refused' in answer) {
    thread.collections.get(answer.collection)?.refused(answer.refused)
    return
  }
  if ('emptied' in answer) {
    thread.collections.get(answer.collection)?.emptied(answer.emptied)
    return
  }
  if ('failure' in answer) {
    const loss = new Error(answer.failure)
    lose(thread, answer.collection, loss, answer.isFull === true)
    onFailure(loss)
    return
  }
  thread.asked.get(answer.ask)?.resolve(answer)
  thread.asked.delete(answer.ask)
}

/** The thread does not answer any further orders for this collection. */
function lose(thread: Thread, collection: number, loss: Error, isFull: boolean): void {
  thread.collections.get(collection)?.lost(loss, isFull)
  thread.collections.delete(collection)
  for (const [ask, { reject, collection: of }] of thread.asked) {
    if (of !== collection) continue
    thread.asked.delete(ask)
    reject(isFull ? new IndexFull() : lost())
  }
}

type AskThread = <K extends AskOrder['kind']>(
  thread: Thread,
  collection: number,
  question: ThreadQuestion<K>,
) => Promise<AskAnswer>

/** The way to the threads, and the room that all collections share. */
interface RowHost {
  readonly ask: AskThread
  hasRoomFor(count: number): boolean
  closed(): void
}

function openRows(threads: readonly Thread[], collection: number, host: RowHost): ThreadedRows {
  const sizes = threads.map(() => 0)
  const listening = listen(threads, collection, (records) => shares.takeBack(records))
  let settled: Promise<unknown> | undefined = Promise.resolve()
  const shares = openShares(threads, collection)
  async function askAll<K extends AskOrder['kind']>(question: ThreadQuestion<K>): Promise<AskAnswer[]> {
    if (listening.loss !== undefined) throw listening.isFull ? new IndexFull() : lost()
    shares.flush()
    const answers = await Promise.all(threads.map((thread) => host.ask(thread, collection, question)))
    for (const [place, { size }] of answers.entries()) sizes[place] = size
    return answers
  }

  return {
    get size() {
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    get loss() {
      return listening.loss
    },
    hasRoomFor: host.hasRoomFor,
    add(faces) {
      settled = undefined
      shares.flush()
      postShares(threads, packedShares(faces, threads.length, collection))
    },
    addRecords(records, model, key) {
      settled = undefined
      shares.put(records, { model, key })
    },
    takeRefused() {
      shares.shrink()
      return listening.refused.splice(0)
    },
    remove(id) {
      settled = undefined
      shares.flush()
      threads[threadFor(id[3]!, threads.length)]!.running.post({ kind: 'remove', collection, ids: id })
    },
    async nearest(vector, atLeast, most, filter, perPerson = false) {
      const query = { vector, atLeast, most, perPerson, ...(filter && { filter }) }
      const found = (await askAll<'search'>({ kind: 'search', ...query })).flatMap(
        (answer) => answer.found ?? [],
      )
      return best(found, most, perPerson)
    },
    hasExternalId: async (externalId) =>
      (await askAll<'hasExternalId'>({ kind: 'hasExternalId', externalId })).some(({ has }) => has),
    async settle(thoroughly = false) {
      if (thoroughly) settled = undefined
      settled ??= askAll<'settle'>({ kind: 'settle', thoroughly })
      await settled
    },
    close() {
      host.closed()
      for (const thread of threads) {
        thread.collections.delete(collection)
        thread.running.post({ kind: 'close', collection })
      }
    },
  }
}

function postShares(threads: readonly Thread[], shares: ReturnType<typeof packedShares>): void {
  for (const [place, { order, buffers }] of shares) threads[place]!.running.post(order, buffers)
}

function best(found: RowMatch[], most: number, perPerson: boolean): RowMatch[] {
  found.sort((a, b) => b.likeness - a.likeness || Buffer.compare(a.id, b.id))
  return (perPerson ? firstOfEach(found) : found).slice(0, most)
}

/** Different threads have different faces of one person. Keeps the first; faces without an external ID are all kept. */
function firstOfEach(found: readonly RowMatch[]): RowMatch[] {
  const persons = new Set<string>()
  return found.filter(({ externalId }) => {
    if (externalId === null) return true
    const isFirst = !persons.has(externalId)
    persons.add(externalId)
    return isFirst
  })
}

/** Records on their way to the threads, all sealed with one key. */
function openShares(threads: readonly Thread[], collection: number) {
  let sealed: RecordSeal | undefined
  const shares = createRecordShares(threads.length, (place, records) => {
    if (sealed === undefined) return
    threads[place]!.running.post({ kind: 'addRecords', collection, records, ...sealed }, buffersOf(records))
  })
  return {
    ...shares,
    put(records: Batch, by: RecordSeal): void {
      // A message copies the whole buffer behind a view, and there may be other data next to a key.
      sealed = { ...by, key: Uint8Array.from(by.key) }
      shares.put(records)
    },
  }
}

/** Collects the threads' unsolicited reports about a collection. */
function listen(threads: readonly Thread[], collection: number, emptied: ThreadReport['emptied']) {
  const reported: { loss: Error | undefined; isFull: boolean; readonly refused: Uint8Array[] } = {
    loss: undefined,
    isFull: false,
    refused: [],
  }
  const listener: ThreadReport = {
    lost(loss, isFull) {
      reported.loss ??= loss
      reported.isFull ||= isFull
    },
    refused: (record) => void reported.refused.push(record),
    emptied,
  }
  for (const thread of threads) thread.collections.set(collection, listener)
  return reported
}

function lost(): Problem {
  return new Problem('overloaded', 'The faces of the collection are unavailable. Try again later.', {
    retryAfterInSeconds: 2,
  })
}
