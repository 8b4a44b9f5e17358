import { setTimeout as pause } from 'node:timers/promises'
import { median, quantile } from '#lab/statistics/quantile.ts'
import { cosine, cosineOf } from '../../models/rules/similarity.ts'
import { verifyAuditLog } from '../../shared/contract/account/audit.ts'
import { getFaceEmbeddings } from '../../shared/contract/analysis/face-verification.ts'
import { createCollection, searchOrIndexFace } from '../../shared/contract/recognition/recognition.ts'
import { resetCollection } from '../../shared/contract/recognition/verify.ts'
import { Problem } from '../../shared/problem.ts'
import { type Caller, callerOf } from './caller.ts'
import { picturesOfPeople } from './people.ts'
import { type AnsweredCall, serialOrderOf } from './serial-order.ts'
import { missCollection, refuseKey, seeFace, type Visibility } from './visibility.ts'

/** A running process of the product that is listening. */
export interface RunningProcess {
  readonly origin: string
  /** The key that was printed. For the first process on a store, this is the account's key. */
  readonly apiKey: string
}

export interface Options {
  readonly people: number
  /** How often each person's picture is sent. */
  readonly copies: number
  /** The processes that share a store, which was created by the first one. */
  readonly processes: readonly RunningProcess[]
  /** The number of concurrent calls per process. */
  readonly underWayAtEach: number
  /** How often to repeat each test that a process sees another one's changes. */
  readonly looks: number
}

const threshold = 80
/** A score counts as reached if it is this close, because sums of rounded numbers are slightly off. */
const tolerance = 1e-3
const collectionId = 'torture'

/**
 * Sends a picture of each of several people repeatedly and concurrently to processes that share a store, in turn. Checks that the answers match some
 * serial order, that no person is stored twice, and that the audit log is complete.
 * @throws an Error that describes the fault
 */
export async function tortureProcesses(options: Options): Promise<Record<string, number>> {
  const { people, copies, processes, looks } = options
  const callers = processes.map(({ origin }) => callerOf(origin, processes[0]!.apiKey))
  const [one, other] = callers as [Caller, Caller]
  const pictures = picturesOfPeople(people)
  await one.call(createCollection, { body: { collectionId } })
  const started = performance.now()
  const { answers, retries } = await sendAll(callers, pictures, options)
  const seconds = (performance.now() - started) / 1000
  const embeddings = await embeddingsOf(callers, pictures, options)
  serialOrderOf(answers, (a, b) => cosine(embeddings[a]!, embeddings[b]!), cosineOf(threshold - tolerance))
  const indexed = answers.filter(({ source }) => source === 'Index').length
  const log = await checkLog(other, people * copies)
  const kept = await countKept(other)
  if (kept !== indexed) throw new Error(`${kept} faces are kept of ${indexed} that were indexed.`)
  const times = answers.map(({ start, end }) => end - start)
  const see = (look: (index: number) => Promise<Visibility>) => seen(look, looks)
  return {
    'processes.people': people,
    'processes.calls': answers.length,
    'processes.faces indexed': indexed,
    'processes.duration, s': seconds,
    'processes.calls tried again': retries,
    'processes.latency p50, ms': median(times),
    'processes.latency p95, ms': quantile(times, 0.95),
    'processes.audit entries': log,
    ...named('face indexed', await see((i) => seeFace(one, other, pictures[i % people]!))),
    ...named('collection deleted', await see((i) => missCollection(one, other, pictures[i % people]!))),
    ...named('key revoked', await see(() => refuseKey(one, other))),
  }
}

async function sendAll(callers: readonly Caller[], pictures: readonly string[], options: Options) {
  const answers: AnsweredCall[] = []
  let retries = 0
  await spread(callers, pictures.length * options.copies, options.underWayAtEach, async (caller, i) => {
    const person = Math.floor(i / options.copies)
    const body = { image: { bytes: pictures[person]! }, collectionId }
    const { result, start, again } = await patiently(() => caller.call(searchOrIndexFace, { body }))
    const { resultSource: source, faceId } = result
    if (source === 'None' || faceId === null) throw new Error(`No face was found of person ${person}.`)
    answers.push({ person, start, end: performance.now(), source, faceId })
    retries += again
  })
  return { answers, retries }
}

/** Distributes work over the processes in turn, limiting the number of concurrent calls for each one. */
async function spread(
  callers: readonly Caller[],
  count: number,
  underWayAtEach: number,
  work: (caller: Caller, index: number) => Promise<void>,
): Promise<void> {
  const lanes = callers.flatMap((caller, at) => {
    let next = at
    return Array.from({ length: underWayAtEach }, async () => {
      for (let i = next; i < count; i = next) {
        next += callers.length
        await work(caller, i)
      }
    })
  })
  await Promise.all(lanes)
}

/** Retries if the server asks for it, like any client should. */
async function patiently<T>(ask: () => Promise<T>): Promise<{ result: T; start: number; again: number }> {
  for (let again = 0; ; again++) {
    const start = performance.now()
    try {
      return { result: await ask(), start, again }
    } catch (error) {
      if (!(error instanceof Problem) || error.retryAfterInSeconds === undefined) throw error
      await pause(error.retryAfterInSeconds * 1000)
    }
  }
}

async function embeddingsOf(callers: readonly Caller[], pictures: readonly string[], options: Options) {
  const found: number[][] = []
  await spread(callers, pictures.length, options.underWayAtEach, async (caller, i) => {
    const body = { image: { bytes: pictures[i]! } }
    const { result } = await patiently(() => caller.call(getFaceEmbeddings, { body }))
    found[i] = result.faces![0]!.embedding!
  })
  return found
}

/** Checks that each call is in its account's log, whichever process wrote it. */
async function checkLog(caller: Caller, calls: number): Promise<number> {
  const { valid, checked } = await caller.call(verifyAuditLog, { query: {} })
  if (!valid || checked < calls) throw new Error(`The audit log is not whole: ${checked} entries hold.`)
  return checked
}

/** Empties the collection and returns how many faces it had. */
async function countKept(caller: Caller): Promise<number> {
  const query = { collectionName: collectionId, entryLimit: 1_000_000 }
  return (await caller.call(resetCollection, { query })).numberOfEntriesDeleted
}

async function seen(look: (index: number) => Promise<Visibility>, looks: number) {
  const found: Visibility[] = []
  for (let i = 0; i < looks; i++) found.push(await look(i))
  return found
}

function named(what: string, found: readonly Visibility[]): Record<string, number> {
  return {
    [`processes.${what}, asks of another process`]: Math.max(...found.map(({ asks }) => asks)),
    [`processes.${what}, median ms until it answers so`]: median(
      found.map(({ milliseconds }) => milliseconds),
    ),
  }
}
