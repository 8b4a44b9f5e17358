import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A link's properties: megabits per second in each direction, and the round-trip time in milliseconds. */
export interface Link {
  readonly down: number
  readonly up: number
  readonly roundTrip: number
}

/** A weak link in front of a server on this machine. */
export interface Relay {
  readonly origin: string
  stop(): Promise<void>
}

/** Connections take turns sending packets of this size, as on a real link. */
const packetBytes = 1400
/** How many milliseconds of traffic may be queued before a sender is held back. */
const queueMilliseconds = 200

/** Starts a TCP relay. All of its connections share the same link. */
export async function startRelay(server: URL, link: Link): Promise<Relay> {
  const lanes = { down: laneOf(link.down, link.roundTrip), up: laneOf(link.up, link.roundTrip) }
  const sockets = new Set<Socket>()
  const relay = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname)
    for (const [from, to, lane] of [
      [client, upstream, lanes.up],
      [upstream, client, lanes.down],
    ] as const) {
      from.setNoDelay(true)
      sockets.add(from)
      from.on('close', () => sockets.delete(from))
      forward(from, to, lane)
    }
  })
  await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening))
  return {
    origin: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    async stop() {
      relay.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

interface Lane {
  /** Calls `deliver` after everything that is already queued. Returns how many milliseconds of traffic are queued. */
  send(bytes: number, deliver: () => void): number
  /** Calls `deliver` after everything that is already queued. */
  after(deliver: () => void): void
}

/**
 * [Note: In order] A single timer delivers everything that is due. On a busy machine, several timers may fire out of order, which would garble
 * streams.
 */
function laneOf(megabits: number, roundTrip: number): Lane {
  const bytesPerMillisecond = (megabits * 1e6) / 8 / 1000
  const onItsWay: { readonly arrival: number; readonly deliver: () => void }[] = []
  let freeAt = 0
  const deliverDue = () => {
    while (onItsWay.length > 0 && onItsWay[0]!.arrival <= performance.now()) onItsWay.shift()!.deliver()
    if (onItsWay.length > 0) setTimeout(deliverDue, onItsWay[0]!.arrival - performance.now())
  }
  const put = (deliver: () => void) => {
    const arrival = Math.max(freeAt, performance.now()) + roundTrip / 2
    if (onItsWay.push({ arrival, deliver }) === 1) setTimeout(deliverDue, arrival - performance.now())
  }
  return {
    send(bytes, deliver) {
      freeAt = Math.max(performance.now(), freeAt) + bytes / bytesPerMillisecond
      put(deliver)
      return freeAt - performance.now()
    },
    after: put,
  }
}

function forward(from: Socket, to: Socket, lane: Lane): void {
  from.on('data', (data) => {
    let queued = 0
    for (let at = 0; at < data.length; at += packetBytes) {
      const packet = data.subarray(at, at + packetBytes)
      queued = lane.send(packet.length, () => to.writable && to.write(packet))
    }
    if (queued <= queueMilliseconds) return
    from.pause()
    setTimeout(() => from.resume(), queued - queueMilliseconds / 2)
  })
  from.on('end', () => lane.after(() => to.end()))
  from.on('close', () => lane.after(() => to.destroy()))
  from.on('error', () => to.destroy())
}
