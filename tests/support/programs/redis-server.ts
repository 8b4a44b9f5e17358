import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from 'redis'

/** Whether this machine has a redis-server to start. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

/** What to add to the name of a test that needs one. */
export const needsRedisServer = hasRedisServer ? '' : ' (needs redis-server, which is absent)'

export interface RedisServer {
  readonly address: string
  /** Ends it at once, as a power cut would; what it acknowledged must be there after `start`. */
  kill(): Promise<void>
  /** Keeps it from answering, as a machine that hangs does, until `resume`. */
  suspend(): void
  resume(): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface Access {
  /** `user:password`, or `:password`. */
  readonly credentials?: string
  /** Whether it speaks TLS; `settings` name its certificate. */
  readonly tls?: boolean
}

/** A redis-server of its own on loopback, with a folder of its own. */
export async function startRedisServer(
  settings: readonly string[] = [],
  { credentials, tls = false }: Access = {},
): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-redis-'))
  const port = String(await freePort())
  const user = credentials === undefined ? '' : `${credentials}@`
  const address = `${tls ? 'rediss' : 'redis'}://${user}127.0.0.1:${port}`
  const ports = tls ? ['--port', '0', '--tls-port', port] : ['--port', port]
  const words = [...ports, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings]
  let running: ReturnType<typeof spawn>

  async function start(): Promise<void> {
    running = spawn('redis-server', words, { stdio: 'ignore' })
    await answering(address, tls)
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(running, 'exit')
    running.kill(signal)
    await ended
  }

  await start()
  return {
    address,
    start,
    kill: () => end('SIGKILL'),
    suspend: () => void running.kill('SIGSTOP'),
    resume: () => void running.kill('SIGCONT'),
    async stop() {
      running.kill('SIGCONT')
      if (running.exitCode === null && running.signalCode === null) await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answering(address: string, tls: boolean): Promise<void> {
  const socket = tls
    ? ({ tls, rejectUnauthorized: false, reconnectStrategy: false } as const)
    : ({ reconnectStrategy: false } as const)
  for (let tries = 0; tries < 100; tries++) {
    const client = createClient({ url: address, socket }).on('error', () => undefined)
    try {
      await client.connect()
      await client.ping()
      await client.close()
      return
    } catch {
      await pause(50)
    }
  }
  throw new Error('redis-server did not answer')
}

/** A port of this machine that nobody listens on just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
