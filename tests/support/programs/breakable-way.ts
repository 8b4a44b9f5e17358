import { once } from 'node:events'
import { createServer, connect as open, type Socket } from 'node:net'

/** A network connection to a server that tests can break. */
export interface BreakableWay {
  readonly port: number
  /** Sets the port that new connections go to. */
  leadTo(port: number): void
  /** Delays existing connections in one direction. New ones pass. */
  hold(what: 'requests' | 'answers'): void
  /** Silences everything, including new connections, until `heal`. Nothing is rejected. */
  part(): void
  /** Delivers data that was delayed, and lets everything pass. */
  heal(): void
  /** Closes the clients' connections. The server's stay open with delayed data until `heal`. */
  cut(): void
  stop(): Promise<void>
}

interface Way {
  readonly asking: Socket
  readonly answering: Socket
  readonly held: { requests: Buffer[] | undefined; answers: Buffer[] | undefined }
}

/** Starts one on loopback. */
export async function startBreakableWay(to: number): Promise<BreakableWay> {
  const ways = new Set<Way>()
  let target = to
  let isParted = false

  const server = createServer((asking) => {
    const answering = open(target, '127.0.0.1')
    const held: Way['held'] = { requests: isParted ? [] : undefined, answers: isParted ? [] : undefined }
    const way = { asking, answering, held }
    ways.add(way)
    passing(asking, answering, () => held.requests)
    passing(answering, asking, () => held.answers)
    asking.on('close', () => held.requests === undefined && answering.destroy())
    answering.on('close', () => {
      ways.delete(way)
      if (held.answers === undefined) asking.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const holdAll = (...which: (keyof Way['held'])[]) => {
    for (const { held } of ways) for (const one of which) held[one] ??= []
  }

  return {
    port: (server.address() as { port: number }).port,
    leadTo(port) {
      target = port
    },
    hold: (what) => holdAll(what),
    part() {
      isParted = true
      holdAll('requests', 'answers')
    },
    heal() {
      isParted = false
      for (const { asking, answering, held } of ways) {
        for (const bytes of held.requests ?? []) answering.write(bytes)
        for (const bytes of held.answers ?? []) asking.write(bytes)
        Object.assign(held, { requests: undefined, answers: undefined })
        if (asking.destroyed) answering.end()
      }
    },
    cut() {
      for (const { asking } of ways) asking.destroy()
    },
    async stop() {
      for (const { asking, answering } of ways) {
        asking.destroy()
        answering.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}

function passing(from: Socket, to: Socket, held: () => Buffer[] | undefined): void {
  from.on('error', () => undefined)
  from.on('data', (bytes) => {
    const back = held()
    if (back !== undefined) back.push(bytes)
    else if (!to.destroyed) to.write(bytes)
  })
}
