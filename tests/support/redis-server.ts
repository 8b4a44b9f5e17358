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
  start(): Promise<void>
  stop(): Promise<void>
}

/** A redis-server of its own on loopback, with a folder of its own. */
export async function startRedisServer(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-redis-'))
  const port = await freePort()
  const address = `redis://127.0.0.1:${port}`
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings]
  let running: ReturnType<typeof spawn>

  async function start(): Promise<void> {
    running = spawn('redis-server', words, { stdio: 'ignore' })
    await answering(address)
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
    async stop() {
      if (running.exitCode === null && running.signalCode === null) await end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answering(address: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const client = createClient({ url: address, socket: { reconnectStrategy: false } }).on(
      'error',
      () => undefined,
    )
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
