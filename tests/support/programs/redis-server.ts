import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'

/** True if this machine has a redis-server to start. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

/** Suffix for the name of a test that needs one. */
export const needsRedisServer = hasRedisServer ? '' : ' (needs redis-server, which is absent)'

export interface RedisServer {
  readonly address: string
  /** Ends it at once, as a power cut would; acknowledged writes must be there after `start`. */
  kill(): Promise<void>
  /** Stops it from answering, like a machine that hangs, until `resume`. */
  suspend(): void
  resume(): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface Access {
  /** `user:password`, or `:password`. */
  readonly credentials?: string
  /** True if it speaks TLS; `settings` name its certificate. */
  readonly tls?: boolean
}

/** A separate redis-server on loopback with a temporary folder. */
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
 * Speaks the protocol directly, because creating a client of the library takes a tenth of a second and a starting
 * server is asked several times.
 */
async function answering(port: number, tls: boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const where = { host: '127.0.0.1', port }
    const socket = tls ? connectTls({ ...where, rejectUnauthorized: false }) : connect(where)
    try {
      await once(socket, tls ? 'secureConnect' : 'connect')
      socket.write('PING\r\n')
      // An answer that demands a password counts too. While it still loads its data it reports that.
      const [answer] = (await once(socket, 'data')) as [Buffer]
      if (!String(answer).startsWith('-LOADING')) return
    } catch {
      // Not yet.
    } finally {
      socket.destroy()
    }
    await pause(25)
  }
  throw new Error('redis-server did not answer')
}

/** A port of this machine that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
