import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The interval between readiness checks, as in the manifests. */
const asksEachMilliseconds = 3_000

/** A proxy on loopback, in front of some processes. */
export interface Balancer {
  readonly origin: string
  add(origin: string): void
  /** Unless it is removed, a process gets requests until it reports that it is not ready. */
  remove(origin: string): void
  /** The processes that currently get requests. */
  ready(): readonly string[]
  /** Requests that a process did not answer. */
  readonly failures: readonly string[]
  close(): Promise<void>
}

/**
 * Sends each request to the next ready process and never retries it, so that it becomes visible if a process drops a request or closes its port too
 * early.
 */
export async function startBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  const origins = new Set<string>()
  const readyOrigins = new Set<string>()
  const failures: string[] = []
  let next = 0
  let isOver = false

  async function ask(origin: string): Promise<void> {
    const signal = AbortSignal.timeout(asksEachMilliseconds)
    const status = await fetch(`${origin}/v1/readyz`, { signal }).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200 && origins.has(origin)) readyOrigins.add(origin)
    else readyOrigins.delete(origin)
  }

  const server = createServer((incoming, response) => {
    const origin = [...readyOrigins][next++ % Math.max(1, readyOrigins.size)]
    forward(origin, incoming, response, agent, (words) => failures.push(words))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const asking = (async () => {
    while (!isOver) await Promise.all([...[...origins].map(ask), pause(asksEachMilliseconds)])
  })()
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (origin) => void origins.add(origin),
    remove(origin) {
      origins.delete(origin)
      readyOrigins.delete(origin)
    },
    ready: () => [...readyOrigins],
    failures,
    async close() {
      isOver = true
      await asking
      server.closeAllConnections()
      agent.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** Responds with 502 if the process does not answer, like proxies do. */
function forward(
  origin: string | undefined,
  incoming: IncomingMessage,
  response: ServerResponse,
  agent: Agent,
  onFailure: (words: string) => void,
): void {
  const { method, url = '/' } = incoming
  const fail = (why: string) => {
    onFailure(`${method} ${url.split('?')[0]}: ${why}`)
    if (!response.headersSent) response.writeHead(502)
    response.end()
  }
  if (origin === undefined) {
    fail('no process is ready')
    return
  }
  const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress }
  const outgoing = request(origin + url, { method, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', (error) => fail(`${origin}: ${error.message}`))
  incoming.pipe(outgoing)
}
