import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The built product in its own process with its own store, as seen from outside. */
export interface BuiltServer {
  readonly origin: string
  readonly port: number
  readonly apiKey: string
  readonly pid: number
  /** Its log so far, with one entry per line. */
  readonly log: readonly string[]
  isAlive(): boolean
  /** Null while it is running, or if a signal ended it. */
  exitCode(): number | null
  memory(): Promise<Memory>
  stop(): Promise<void>
}

/** In bytes, after a full collection. */
export interface Memory {
  /** How large the main thread's heap and buffers are. */
  readonly held: number
  /** Resident memory without mapped files, because the store grows along with its data. */
  readonly resident: number
}

/** Collects garbage and measures memory when its parent asks. It is loaded next to the product, which is not aware of it. */
const probe = `
  if (process.channel) process.on('message', () => {
    gc(); gc()
    const { heapUsed, external } = process.memoryUsage()
    process.send(heapUsed + external)
  })
  process.on('disconnect', () => process.exit())
  process.channel?.unref()`

interface Options {
  readonly node?: string
  readonly root?: string
  /** True if the start must print a key, which it does for a new store unless a key was configured. */
  readonly needsKey?: boolean
  /** The user that it runs as, by number; the one of the test if absent. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

/** Starts a folder's `dist/server/main.js` on a free port, using either this Node or the one at the given path. */
export async function startBuiltServer(
  settings: Record<string, string> = {},
  nodeOptions: readonly string[] = [],
  { node = process.execPath, root = '.', needsKey = true, user }: Options = {},
): Promise<BuiltServer> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-'))
  const command = [
    '--expose-gc',
    '--import',
    `data:text/javascript,${encodeURIComponent(probe)}`,
    ...nodeOptions,
  ]
  const child = spawn(node, [...command, 'dist/server/main.js'], {
    cwd: root,
    env: { ...process.env, PORT: '0', DATA_DIR: folder, ...settings },
    ...user,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const log: string[] = []
  createInterface({ input: child.stderr! }).on('line', (line) => log.push(line))
  const { origin, apiKey } = await readStart(child, log, needsKey)
  return {
    origin,
    port: Number(new URL(origin).port),
    pid: child.pid!,
    apiKey,
    log,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    exitCode: () => child.exitCode,
    memory: () => memoryOf(child),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readStart(
  child: ChildProcess,
  log: readonly string[],
  needsKey: boolean,
): Promise<{ origin: string; apiKey: string }> {
  let origin = ''
  let apiKey = ''
  for await (const line of createInterface({ input: child.stdout! })) {
    origin = /https?:\/\/[^\s/]+/.exec(line)?.[0] ?? origin
    apiKey = /^API key: (\S+)/.exec(line)?.[1] ?? apiKey
    if (origin !== '' && (apiKey !== '' || !needsKey)) break
  }
  child.stdout!.resume()
  if (origin === '') throw new Error(`The built server did not start: ${log.join(' ')}`)
  return { origin, apiKey }
}

async function memoryOf(child: ChildProcess): Promise<Memory> {
  child.send('count')
  const [held] = (await once(child, 'message')) as [number]
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return { held, resident: Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024 }
}
