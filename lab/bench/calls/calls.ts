import type { ChildProcess } from 'node:child_process'
import { cpus, loadavg } from 'node:os'
import { ask, startChild } from '#lab/child.ts'
import { median } from '#lab/statistics/quantile.ts'
import { listOf, oneOf, wholeNumber } from '../../../build/usage.ts'
import { call } from '../../../shared/call.ts'
import { createCollection } from '../../../shared/contract/recognition/recognition.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { processorTimeOf } from '../processor-time.ts'
import type { HumanAnswer } from './human.ts'
import { pictureNames, pictureOf } from './pictures.ts'
import { callTasks, type HumanTask } from './tasks.ts'

const usualCalls = 15
const rounds = 3
/** The first calls in a round are not counted, because the other sides have evicted the caches. */
const warmUps = 2
const atOnce = 4

/** Comma-separated lists of pictures and endpoints, which default to all. `former` is the folder of an earlier build. */
export interface CallOptions {
  readonly sizes?: string | undefined
  readonly only?: string | undefined
  readonly former?: string | undefined
  readonly calls?: string | undefined
}

/** The duration of one or several concurrent calls, and their processor time if the system reports it. */
interface CallDuration {
  readonly milliseconds: number
  readonly processorMs: number | undefined
}

interface Side {
  readonly name: string
  /** Makes `count` calls concurrently. */
  answer(task: string, picture: Buffer, count: number): Promise<CallDuration>
  stop(): Promise<void>
}

/**
 * Measures every analysis endpoint over HTTP with pictures of several sizes, with one call and with four concurrent calls, as medians of wall and
 * processor time. @vladmandic/human answers the same questions in another process, without HTTP. The sides alternate for three rounds, so that other
 * work on the machine slows all of them down equally.
 */
export async function benchCalls(options: CallOptions): Promise<Record<string, number>> {
  const calls = options.calls === undefined ? usualCalls : wholeNumber('--calls', options.calls)
  const names = listOf(pictureNames, options.sizes).map((name) => oneOf('--sizes', pictureNames, name))
  const everyTask = Object.keys(callTasks)
  const tasks = listOf(everyTask, options.only).map((task) => oneOf('--only', everyTask, task))
  console.log(
    `${cpus().length} x ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; load ${loadavg()[0]!.toFixed(2)}`,
  )
  const figures: Record<string, number> = { calls }
  const sides = [
    await serverSide('product', '.'),
    ...(options.former === undefined ? [] : [await serverSide('former', options.former)]),
    humanSide(),
  ]
  try {
    for (const name of names) {
      const picture = await pictureOf(name)
      if (picture === undefined) continue
      for (const task of tasks) Object.assign(figures, await measure(sides, { name, task, picture, calls }))
    }
  } finally {
    for (const side of sides) await side.stop()
  }
  figures.loadAtEnd = loadavg()[0]!
  return figures
}

interface Case {
  readonly name: string
  readonly task: string
  readonly picture: Buffer
  readonly calls: number
}

async function measure(sides: readonly Side[], { name, task, picture, calls }: Case) {
  const alone = new Map<Side, CallDuration[]>(sides.map((side) => [side, []]))
  const together = new Map<Side, CallDuration[]>(sides.map((side) => [side, []]))
  const each = Math.ceil(calls / rounds)
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      for (let i = -warmUps; i < each; i++) {
        const taken = await side.answer(task, picture, 1)
        if (i >= 0) alone.get(side)!.push(taken)
      }
      together.get(side)!.push(await side.answer(task, picture, atOnce))
    }
  }
  const figures: Record<string, number> = {}
  for (const side of sides) {
    const prefix = side.name === 'product' ? `${name}.${task}` : `${side.name}.${name}.${task}`
    const [one, four] = [alone.get(side)!, together.get(side)!]
    figures[`${prefix}.p50Ms`] = median(one.map(({ milliseconds }) => milliseconds))
    figures[`${prefix}.perSecondAtFour`] =
      (1000 * atOnce) / median(four.map(({ milliseconds }) => milliseconds))
    const busy = one.flatMap(({ processorMs }) => processorMs ?? [])
    if (busy.length > 0) figures[`${prefix}.processorMs`] = median(busy)
  }
  return { ...figures, ...ratiosOf(figures, `${name}.${task}`) }
}

/** Below 1, the product takes less time. Above 1, it answers more calls per second. */
function ratiosOf(figures: Readonly<Record<string, number>>, prefix: string): Record<string, number> {
  const ratios: Record<string, number> = {}
  for (const [other, word] of [
    ['former', 'ToFormer'],
    ['human', 'ToHuman'],
  ] as const) {
    for (const figure of ['p50Ms', 'processorMs', 'perSecondAtFour']) {
      const [own, its] = [figures[`${prefix}.${figure}`], figures[`${other}.${prefix}.${figure}`]]
      if (own !== undefined && its !== undefined) ratios[`${prefix}.${figure}Ratio${word}`] = own / its
    }
  }
  return ratios
}

/** Starts the built server in a folder and creates the collection that its calls search. */
async function serverSide(name: string, root: string): Promise<Side> {
  const server = await startBuiltServer({}, [], { root })
  const collectionId = await collectionOf(server)
  const post = async (task: string, bytes: string) => {
    const { path, members } = callTasks[task]!
    const response = await fetch(`${server.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `ApiKey ${server.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ image: { bytes }, ...members(collectionId) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${name} answered ${task}: ${text}`)
  }
  return {
    name,
    async answer(task, picture, count) {
      const bytes = picture.toString('base64')
      const before = processorTimeOf(server.pid)
      const start = performance.now()
      await Promise.all(Array.from({ length: count }, () => post(task, bytes)))
      const milliseconds = performance.now() - start
      return { milliseconds, processorMs: spent(before, processorTimeOf(server.pid)) }
    },
    stop: () => server.stop(),
  }
}

async function collectionOf({ origin, apiKey }: BuiltServer): Promise<string> {
  const collectionId = 'bench'
  await call(fetch, origin, createCollection, { credential: { apiKey }, body: { collectionId } })
  return collectionId
}

function humanSide(): Side {
  const child: ChildProcess = startChild('lab/bench/calls/human.ts')
  return {
    name: 'human',
    async answer(task, picture, count) {
      const order: { task: HumanTask; picture: Buffer; atOnce: number } = {
        task: callTasks[task]!.human,
        picture,
        atOnce: count,
      }
      const before = processorTimeOf(child.pid!)
      const { milliseconds } = (await ask(child, order)) as HumanAnswer
      return { milliseconds, processorMs: spent(before, processorTimeOf(child.pid!)) }
    },
    stop: async () => void child.kill(),
  }
}

/** Converts the difference between two readings from microseconds to milliseconds. */
function spent(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) / 1000
}
