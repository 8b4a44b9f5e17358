import type { Server, ServerResponse } from 'node:http'
import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { requestIdFrom } from '#server/platform/http/requests/request-id.ts'
import type { Observe } from '#server/platform/http/requests/request-record.ts'
import { problemBodyOf } from '#server/platform/http/responses/problems.ts'
import { type HeaderSettings, securityHeaders } from '#server/platform/http/responses/security-headers.ts'
import { Problem } from '#shared/problem.ts'
import type { ProblemCode } from '#shared/problem-codes.ts'

const problemOfError: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}
const notHttp = ['invalid_request', 'This is not a well-formed HTTP request.'] as const

/** Answers input that cannot be parsed as HTTP, and so reaches no route, with a problem like any other failure. */
export function answerBrokenRequests(server: Server, headers: HeaderSettings, observe: Observe): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.on('request', (request, response) => answers.set(request.socket, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const hasBegun = answers.get(socket)?.headersSent === true && answers.get(socket)?.writableEnded === false
    if (!socket.writable || hasBegun || error.code === 'ECONNRESET') return void socket.destroy()
    end(socket, new Problem(...(problemOfError[error.code ?? ''] ?? notHttp)))
  })
  server.on('connect', (_request, socket) => {
    // Node passes the socket on without listeners. An unhandled error on the socket would end the process.
    socket.on('error', () => socket.destroy())
    end(socket, new Problem(...notHttp))
    if (socket instanceof Socket) socket.destroySoon()
  })

  function end(socket: Duplex, problem: Problem): void {
    const requestId = requestIdFrom(undefined)
    const body = JSON.stringify(problemBodyOf(problem, requestId))
    const { status } = problem
    observe({ requestId, method: '-', status, durationInMilliseconds: 0, bytes: Buffer.byteLength(body) })
    const fields = {
      ...securityHeaders('api', headers),
      'X-Request-Id': requestId,
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    }
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }
}
