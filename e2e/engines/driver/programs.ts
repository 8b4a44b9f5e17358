import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineName } from './engine.ts'

/** Each engine's Debian packages, and the programs they provide. */
const packages: Readonly<Record<EngineName, Readonly<Record<string, string>>>> = {
  firefox: { 'firefox-esr': 'firefox-esr' },
  webkit: { WebKitWebDriver: 'webkit2gtk-driver', Xvfb: 'xvfb' },
}

/** All packages that an engine might be missing. */
export const enginePackages = Object.values(packages).flatMap((one) => Object.values(one))

/** The packages that an engine is missing on this machine. */
export function missingOf(name: EngineName): string[] {
  const places = (process.env.PATH ?? '').split(delimiter)
  return Object.entries(packages[name])
    .filter(([program]) => !places.some((place) => existsSync(join(place, program))))
    .map(([, debian]) => debian)
}

/** Finds a free port on this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

/** Runs programs with a temporary home directory, which is deleted at the end. */
export interface Household {
  readonly home: string
  start(program: string, words: readonly string[], environment?: Record<string, string>): ChildProcess
  end(): Promise<void>
}

export async function openHousehold(): Promise<Household> {
  const home = await mkdtemp(join(tmpdir(), 'selfsame-engine-'))
  const started: ChildProcess[] = []
  return {
    home,
    start(program, words, environment = {}) {
      const places = { HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home }
      const child = spawn(program, words, {
        // Uses a separate process group, because a browser has many processes that must end together.
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, ...places, LANG: 'en_US.UTF-8', ...environment },
      })
      child.on('error', () => {})
      started.push(child)
      return child
    },
    async end() {
      await Promise.all(started.reverse().map(endGroup))
      await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

async function endGroup({ pid, exitCode, signalCode }: ChildProcess): Promise<void> {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // already exited
  }
  await sleep(100)
}

/** Retries until it works. If that takes too long, the error names `what`. */
export async function untilDone<T>(what: string, work: () => Promise<T>, milliseconds = 20_000): Promise<T> {
  const until = Date.now() + milliseconds
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > until) throw new Error(`waited for ${what}: ${error}`)
      await sleep(100)
    }
  }
}
