import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type Koa from 'koa'
import { answerBrokenRequests } from '#server/platform/http/requests/broken-requests.ts'
import type { Observe } from '#server/platform/http/requests/request-record.ts'
import type { HeaderSettings } from './security-headers.ts'

interface Options {
  readonly headers: HeaderSettings
  readonly observe: Observe
  /** How an answer must be taken; as usual where absent. */
  readonly taking?: Taking
}

/** How long an answer may lie in the process until it is taken: so long, and longer by its bytes. */
interface Taking {
  readonly graceInMilliseconds: number
  readonly leastBytesPerSecond: number
}

const usualTaking: Taking = { graceInMilliseconds: 30_000, leastBytesPerSecond: 16 * 1024 }

/**
 * Longer than proxies and load balancers keep a connection that rests, 60 s as a rule: who ends it first must be the one that asks, or a request meets
 * the end of it.
 */
const keepAliveMilliseconds = 75_000

/** Longer than any request is worked on without a byte being sent or taken. */
const mostSilenceInMilliseconds = 300_000

/** Lets a server answer with an application, and with problems where a request does not get that far. */
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
  // The body is asked for where it is read: a caller who may not send one is refused before it travels.
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
}

/** [Note: Slow readers are cut] What the system has no room for lies in our memory until it is taken; not for ever. */
function slowReaderCutter({ graceInMilliseconds, leastBytesPerSecond }: Taking) {
  return function cutSlowReader(this: ServerResponse): void {
    const { socket } = this
    if (socket === null || socket.writableLength === 0) return
    const patience = graceInMilliseconds + (socket.writableLength / leastBytesPerSecond) * 1000
    const timer = setTimeout(() => socket.destroy(), patience).unref()
    this.once('close', () => clearTimeout(timer))
  }
}
