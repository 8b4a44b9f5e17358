import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Trial } from './https/trial.ts'
import type { Listener } from './listeners.ts'

/** A server that listens on one port. */
export interface ListeningServer extends Listener {
  readonly server: Server
  /** The address that it listens on, such as `http://127.0.0.1:8080`; available once the server is listening. */
  address(): string
  /** @throws if the port is taken or may not be opened, with a message that names the setting */
  listen(): Promise<void>
  /** Stops accepting connections. Resolves when the current requests have been answered. */
  finish(): Promise<void>
  /** Closes the remaining connections. */
  cut(): void
}

/** Errors after startup, for example a connection that cannot be accepted, are reported and do not end the process. */
export function createListeningServer(
  { port, roles }: Listener,
  host: string,
  onFailure: (error: unknown) => void,
  trial?: Trial,
): ListeningServer {
  const server: Server = trial === undefined ? createServer() : createTlsServer(trial.leaf)
  const silent = watchSilent(server, trial === undefined ? 'connection' : 'secureConnection')
  /** Needed for each token, so the system is asked only once, and the address remains known while the server closes. */
  let address: string | undefined
  return {
    server,
    port,
    roles,
    address() {
      address ??= addressOf(server, trial?.host ?? host, trial === undefined ? 'http' : 'https')
      return address
    },
    listen: () =>
      new Promise((listening, fail) => {
        const refuse = (error: Error) => fail(inWords(error, port, host))
        server.once('error', refuse)
        server.listen(port, host, () => {
          server.off('error', refuse)
          server.on('error', onFailure)
          listening()
        })
      }),
    finish() {
      const finished = new Promise<void>((closed) => server.close(() => closed()))
      server.closeIdleConnections()
      for (const socket of silent) socket.destroy()
      return finished
    },
    cut: () => server.closeAllConnections(),
  }
}

/** Tracks connections that have not sent anything yet. Browsers open some in advance, so shutdown does not wait for them. */
function watchSilent(server: Server, connected: 'connection' | 'secureConnection'): ReadonlySet<Socket> {
  const silent = new Set<Socket>()
  server.on(connected, (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, ({ socket }: { socket: Socket }) => silent.delete(socket))
  }
  return silent
}

function addressOf(server: Server, host: string, scheme: 'http' | 'https'): string {
  const { port } = server.address() as AddressInfo
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The remedy for each code of the system that a wrong setting causes. */
const remedies: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port) => `Port ${port} is in use; set PORT or LISTEN to another`,
  EACCES: (port) => `This user may not open port ${port}; set PORT or LISTEN to 1024 or above`,
  EADDRNOTAVAIL: (_, host) => notOfThisMachine(host),
  ENOTFOUND: (_, host) => notOfThisMachine(host),
}

function notOfThisMachine(host: string): string {
  return `${host} is no address of this machine; set HOST to one that is, or to 0.0.0.0 for all of them`
}

function inWords(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const remedy = remedies[error.code ?? '']
  return remedy === undefined ? error : new Error(remedy(port, host))
}
