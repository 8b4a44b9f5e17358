import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

/** True if there is a redis-server to start on this machine. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

/** A suffix for the names of tests that need one. */
export const needsRedisServer = hasRedisServer ? '' : ' (needs redis-server, which is absent)'

export interface RedisServer {
  readonly address: string
  /** Ends it immediately, as a power cut would. Acknowledged writes must still be there after `start`. */
  kill(): Promise<void>
  /** Keeps it from answering until `resume`, like a machine that hangs. */
  suspend(): void
  resume(): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface Access {
  /** `user:password`, or `:password`. */
  readonly credentials?: string
  /** True if it uses TLS, in which case `settings` names its certificate. */
  readonly tls?: boolean
}

/** A separate redis-server on loopback that uses a temporary folder. */
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
    await answering(Number(port), tls)
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

/**
 * Speaks the protocol directly, because creating the library's client takes a tenth of a second, and a server that is starting
 * is asked several times.
 */
async function answering(port: number, tls: boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const where = { host: '127.0.0.1', port }
    const socket = tls ? connectTls({ ...where, rejectUnauthorized: false }) : connect(where)
    try {
      await once(socket, tls ? 'secureConnect' : 'connect')
      socket.write('PING\r\n')
      // An answer that demands a password counts too. While the server is still loading its data, it says that instead.
      const [answer] = (await once(socket, 'data')) as [Buffer]
      if (!String(answer).startsWith('-LOADING')) return
    } catch {
      // It is not ready yet.
    } finally {
      socket.destroy()
    }
    await pause(25)
  }
  throw new Error('redis-server did not answer')
}

/** A port that is currently free on this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
