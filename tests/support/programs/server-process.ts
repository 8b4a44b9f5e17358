import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { call } from '#shared/call.ts'
import type { Arguments, Endpoint, ResultOf } from '#shared/endpoint.ts'
import { recorded } from './recorder.ts'
import { serverProgram } from './server-program.ts'

/** The product in its own process, the way `npm start` runs it. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Its output up to the point where it was ready. */
  readonly lines: readonly string[]
  /** The addresses that it listens on, in the order in which it lists them. */
  readonly origins: readonly string[]
  /** The key that the first start prints. It is empty on every later one. */
  readonly apiKey: string
  call<E extends Endpoint>(
    endpoint: E,
    args: Arguments<E> & { bearer?: string; apiKey?: string; origin?: string },
  ): Promise<ResultOf<E>>
  /** Waits until it says that it is ready. */
  ready(): Promise<void>
  /** Sends a signal and returns the exit code; null if the signal ended the process. */
  stop(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a process with these settings and an otherwise empty environment. If a file is given, records its system calls there. */
export function launch(env: Readonly<Record<string, string>>, record?: string): ChildProcess {
  const program = serverProgram('main')
  const [command, words] =
    record === undefined
      ? [process.execPath, program]
      : ['strace', recorded(record, [process.execPath, ...program])]
  return spawn(command, words, {
    env: { PATH: process.env.PATH, ...(env.LISTEN === undefined ? { PORT: '0' } : {}), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Replaces the analysis thread. It sends nothing, and exits on request. */
const idleThread = `require('node:worker_threads').parentPort.on('message', ({ path }) => path?.[0] === 'end' && process.exit())`
const idling = `
  import { syncBuiltinESMExports } from 'node:module'
  import threads from 'node:worker_threads'
  const Real = threads.Worker
  threads.Worker = class extends Real {
    constructor(file, options) {
      const isAnalysis = String(file).includes('analysis.worker')
      super(isAnalysis ? ${JSON.stringify(idleThread)} : file, isAnalysis ? { eval: true } : options)
    }
  }
  syncBuiltinESMExports()`

/**
 * Settings for a process that never finishes loading its networks, as on a very slow machine. For tests that need no analyses and do
 * not wait until it is ready. Loading would take two seconds of processor time on each start.
 */
export const stillLoading: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(idling)}`,
}

/** Starts a process and waits until it has printed its first few lines. */
export async function startProcess(
  env: Readonly<Record<string, string>>,
  record?: string,
): Promise<ServerProcess> {
  return started(launch(env, record), env)
}

/** Does the same from the sources, even if they have been built. */
export async function startFromSources(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const words = ['--import', 'tsx', 'server/app/main.ts']
  const child = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return started(child, env)
}

async function started(child: ChildProcess, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  child.stderr!.resume()
  const lines: string[] = []
  let listeners = env.LISTEN?.split(';').length ?? 1
  for await (const line of createInterface({ input: child.stdout! })) {
    lines.push(line)
    if (line.startsWith('Selfsame is ready at ')) listeners--
    if (env.DEMO === 'false' ? listeners === 0 : line.startsWith('Demo: ')) break
  }
  const origins = lines.flatMap((line) => /^Selfsame is ready at (\S+)\//.exec(line)?.[1] ?? [])
  const apiKey = lines.find((line) => line.startsWith('API key: '))?.replace('API key: ', '') ?? ''
  return {
    child,
    lines,
    origins,
    apiKey,
    call: (endpoint, { bearer, apiKey: given = apiKey, origin = origins[0]!, ...args }) => {
      const credential = bearer === undefined ? { apiKey: given } : { bearer }
      return call(fetch, origin, endpoint, { ...args, credential } as never)
    },
    ready: () => untilReady(origins[0]!),
    stop: (signal) => {
      const exit = once(child, 'exit')
      child.kill(signal)
      return exit.then(([code]) => code as number | null)
    },
  }
}

async function untilReady(origin: string): Promise<void> {
  while ((await fetch(`${origin}/v1/readyz`)).status !== 200) {
    await new Promise((over) => setTimeout(over, 100))
  }
}
