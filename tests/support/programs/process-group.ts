import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Arguments, Endpoint, ResultOf } from '#shared/endpoint.ts'
import { type ServerProcess, startProcess } from './server-process.ts'

/** Several of the product's processes behind a simulated load balancer: each call goes to the next one. */
export interface ProcessGroup {
  readonly processes: readonly ServerProcess[]
  /** The account's key, which the first process printed. */
  readonly apiKey: string
  /** Calls the next process in line with the account's key, or with the given credential instead. */
  call<E extends Endpoint>(endpoint: E, args: Arguments<E> & { bearer?: string }): Promise<ResultOf<E>>
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The environment for another process in the group. */
  environment(): Record<string, string>
  /** Waits until each of them is ready for analyses. */
  ready(): Promise<void>
  stop(): Promise<void>
}

const secret = 'a secret of thirty-two characters'

/** Starts `count` processes on one store: a Redis server if `settings` names one, otherwise one folder for all. */
export async function startProcessGroup(
  count: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ProcessGroup> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-group-'))
  let folders = 0
  const environment = () => ({
    SECRET: secret,
    DATA_DIR: settings.STORE === undefined ? folder : join(folder, String(folders++)),
    // A store has a single audit log, so processes with separate folders share its folder, unless it is stored in rows.
    ...(settings.STORE?.startsWith('postgres') !== true && { AUDIT_DIR: join(folder, 'audit') }),
    SECURITY_URL: 'http://127.0.0.1:1',
    DEMO: 'false',
    ...settings,
  })
  const first = await startProcess(environment())
  const others = await Promise.all(Array.from({ length: count - 1 }, () => startProcess(environment())))
  const processes = [first, ...others]
  let turn = 0
  const next = () => processes[turn++ % processes.length]!
  const { apiKey } = first
  return {
    processes,
    apiKey,
    environment,
    call: (endpoint, args) => next().call(endpoint, { ...args, apiKey }),
    fetch: (path, init) => fetch(next().origins[0] + path, init),
    ready: async () => void (await Promise.all(processes.map((process) => process.ready()))),
    async stop() {
      await Promise.all(processes.map((process) => endOf(process)))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Ends a process that may already have ended. */
export async function endOf({ child, stop }: ServerProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
}
