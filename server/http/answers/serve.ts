import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type Koa from 'koa'
import { answerBrokenRequests } from '#server/http/requests/broken-requests.ts'
import type { Observe } from '#server/http/requests/request-record.ts'
import type { HeaderSettings } from './security-headers.ts'

interface Options {
  readonly headers: HeaderSettings
  readonly observe: Observe
}

/** Lets a server answer with an application, and with problems where a request does not get that far. */
export function serve(server: Server, app: Koa, { headers, observe }: Options): void {
  const callback = app.callback()
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (!server.listening) response.setHeader('Connection', 'close')
    void callback(request, response)
  }
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  answerBrokenRequests(server, headers, observe)
  server.on('request', answer)
  // The body is asked for where it is read: a caller who may not send one is refused before it travels.
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
}
