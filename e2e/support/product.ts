import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The product as users start it, with its own store. */
export interface Product {
  readonly address: string
  readonly apiKey: string
  readonly process: ChildProcess
  /** Its settings, for commands that run next to it. */
  readonly settings: Readonly<Record<string, string>>
  /** Stops the server but keeps its store and address. */
  pause(): Promise<void>
  /** Starts it again on the same address, optionally with different settings, such as another build of the pages. */
  resume(changes?: Record<string, string>): Promise<void>
  /** The server's session counters since it started, one per line: findings, cue results and step outcomes. */
  sessionFigures(): Promise<string[]>
  stop(): Promise<void>
}

/** Starts the built server on a free port on this machine. */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-'))
  const start = (changes: Record<string, string>) =>
    spawn(process.execPath, ['dist/server/main.js'], {
      env: { ...process.env, PORT: '0', DATA_DIR: folder, ...settings, ...changes },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  let child = start({})
  const first = await readStart(child)
  const pause = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return {
    address: first.address,
    apiKey: first.apiKey,
    settings: { DATA_DIR: folder, ...settings, PORT: new URL(first.address).port },
    get process() {
      return child
    },
    pause,
    async resume(changes = {}) {
      child = start({ PORT: new URL(first.address).port, ...changes })
      await readStart(child)
    },
    sessionFigures: () => sessionFiguresOf(first.address, first.apiKey),
    async stop() {
      await pause()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A running server in the form that visits require. */
export function productOf({
  origin: address,
  apiKey,
}: {
  readonly origin: string
  readonly apiKey: string
}): Pick<Product, 'address' | 'apiKey' | 'sessionFigures'> {
  return { address, apiKey, sessionFigures: () => sessionFiguresOf(address, apiKey) }
}

export async function sessionFiguresOf(address: string, apiKey: string): Promise<string[]> {
  const headers = { authorization: `ApiKey ${apiKey}` }
  const figures = await (await fetch(`${address}/metrics`, { headers })).text()
  return figures.split('\n').filter((line) => /^selfsame_session_(findings|cues|steps)_total/.test(line))
}

/** Reads the address and the key, or the key's placeholder, from a server's startup output. */
async function readStart(child: ChildProcess): Promise<{ address: string; apiKey: string }> {
  let address = ''
  let apiKey = ''
  for await (const line of createInterface({ input: child.stdout! })) {
    address = /https?:\/\/[^\s/]+/.exec(line)?.[0] ?? address
    apiKey = /^API key: (\S+)/.exec(line)?.[1] ?? apiKey
    if (address !== '' && apiKey !== '') break
  }
  child.stdout!.resume()
  if (address === '') throw new Error('the product did not start')
  return { address, apiKey }
}

export interface Receiver {
  readonly address: string
  /** The webhooks that were received, oldest first. */
  readonly received: { headers: IncomingMessage['headers']; body: string }[]
  next(verificationSessionId: string): Promise<void>
  stop(): Promise<void>
}

/** Starts a webhook receiver that is also the site to return to. */
export async function startReceiver(): Promise<Receiver> {
  const received: Receiver['received'] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'POST')
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.setHeader('content-type', 'text/html')
      response.end('<!doctype html><title>Back</title><p>Back at the site')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async next(verificationSessionId) {
      const until = Date.now() + 15_000
      while (!received.some(({ body }) => body.includes(verificationSessionId))) {
        if (Date.now() > until) throw new Error('the webhook did not arrive')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
