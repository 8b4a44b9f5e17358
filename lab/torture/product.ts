import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { call } from '../../shared/call.ts'
import type { Arguments, Endpoint, ResultOf } from '../../shared/endpoint.ts'

/** A server that is started, killed and restarted on the same store. */
export interface Product {
  /** Starts the server and waits until it is ready. */
  start(): Promise<void>
  /** Waits until the server can analyse pictures and reach its store. */
  ready(): Promise<void>
  /** Starts the server, but kills it within this many milliseconds, no matter how far it got. */
  startInVain(milliseconds: number): Promise<void>
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>
  /** The server's standard error output since the first start. */
  readonly said: readonly string[]
  /** Calls the server with the key from the first start. */
  call<E extends Endpoint>(endpoint: E, args: Arguments<E>): Promise<ResultOf<E>>
}

/** Either the product as built, or with an analysis that recognises drawn people immediately instead of its networks. */
export type Form = 'built' | 'drawn'

const commands: Readonly<Record<Form, readonly string[]>> = {
  built: ['dist/server/main.js'],
  drawn: ['--import', 'tsx', 'lab/torture/drawn-product.ts'],
}

const mostSilenceInMilliseconds = 60_000

/** `environment` specifies the store and its folder. */
export function createProduct(form: Form, environment: Readonly<Record<string, string>>): Product {
  const said: string[] = []
  let child: ChildProcess | undefined
  let origin = ''
  let apiKey = ''

  function launch(): ChildProcess {
    const started = spawn(process.execPath, commands[form], {
      env: { PATH: process.env.PATH, PORT: '0', DEMO: 'false', LOG_LEVEL: 'error', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    createInterface({ input: started.stderr! }).on('line', (line) => said.push(line))
    child = started
    return started
  }

  async function listen(): Promise<void> {
    const started = launch()
    for await (const line of createInterface({ input: started.stdout! })) {
      origin = /https?:\/\/[^\s/]+/.exec(line)?.[0] ?? origin
      const key = /^API key: (\S+)$/.exec(line)?.[1]
      if (key !== undefined && apiKey === '') apiKey = key
      if (line.startsWith('Selfsame is ready at ')) break
    }
    started.stdout!.resume()
    if (started.exitCode !== null) throw new Error(`The server did not start: ${said.at(-1)}`)
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  async function ready(): Promise<void> {
    while ((await fetch(`${origin}/v1/readyz`)).status !== 200) await pause(50)
  }

  return {
    said,
    kill,
    ready,
    async start() {
      await listen()
      await ready()
    },
    async startInVain(milliseconds) {
      launch().stdout!.resume()
      await pause(milliseconds)
      await kill()
    },
    call: (endpoint, args) =>
      call(patientFetch, origin, endpoint, { ...args, credential: { apiKey } } as never),
  }
}

/** Longer than any answer should take, so that a missing answer turns into an error. */
const patientFetch: typeof fetch = (address, init) =>
  fetch(address, { ...init, signal: AbortSignal.timeout(mostSilenceInMilliseconds) })
