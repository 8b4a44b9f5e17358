import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type Koa from 'koa'
import type { Observe } from '#server/platform/http/requests/request-record.ts'
import { answerBrokenRequests } from './broken-requests.ts'
import type { HeaderSettings } from './security-headers.ts'

interface Options {
  readonly headers: HeaderSettings
  readonly observe: Observe
  /** How quickly a response must be read; uses the default if absent. */
  readonly taking?: ServingParts
}

/** How long a response may wait in memory until it is read: a fixed time, plus an allowance for its size. */
interface ServingParts {
  readonly graceInMilliseconds: number
  readonly leastBytesPerSecond: number
}

const usualTaking: ServingParts = { graceInMilliseconds: 30_000, leastBytesPerSecond: 16 * 1024 }

/**
 * Longer than proxies and load balancers keep an idle connection, which is usually 60 s. The side that sends requests has to
 * be the one that closes the connection, or a request may arrive while it is closing.
 */
const keepAliveMilliseconds = 75_000

/** Longer than any request is processed without a byte being sent or received. */
const mostSilenceInMilliseconds = 300_000

/** Serves an application. If a request does not get that far, answers with a problem. */
export function serve(server: Server, app: Koa, { headers, observe, taking = usualTaking }: Options): void {
  const callback = app.callback()
  const cutSlowReader = slowReaderCutter(taking)
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (!server.listening) response.setHeader('Connection', 'close')
    response.on('prefinish', cutSlowReader)
    void callback(request, response)
  }
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.keepAliveTimeout = keepAliveMilliseconds
  server.timeout = mostSilenceInMilliseconds
  answerBrokenRequests(server, headers, observe)
  server.on('request', answer)
  // Sends `100 Continue` only when the body is read, so that callers without permission are refused before they send it.
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
}

/**
 * [Note: Slow readers are cut] Bytes that do not fit into the system's buffers stay in our memory until the client reads
 * them, but not indefinitely.
 */
function slowReaderCutter({ graceInMilliseconds, leastBytesPerSecond }: ServingParts) {
  return function cutSlowReader(this: ServerResponse): void {
    const { socket } = this
    if (socket === null || socket.writableLength === 0) return
    const patience = graceInMilliseconds + (socket.writableLength / leastBytesPerSecond) * 1000
    const timer = setTimeout(() => socket.destroy(), patience).unref()
    this.once('close', () => clearTimeout(timer))
  }
}
