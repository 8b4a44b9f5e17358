import { type Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts'

const patienceInMilliseconds = 20_000

/** The target and the connections that are kept open to it. */
export interface Line {
  readonly port: number
  readonly agent: Agent
}

/** Sends a request unchanged. Returns undefined if the connection ended before the response was complete. */
export async function send(line: Line, request: FuzzRequest): Promise<FuzzAnswer | undefined> {
  if (request.manner !== 'whole') return sendBytes(line.port, request)
  try {
    return await sendWhole(line, request)
  } catch {
    return sendBytes(line.port, request)
  }
}

/** Reuses a connection of Node's client. @throws if the client rejects the request */
function sendWhole({ port, agent }: Line, request: FuzzRequest): Promise<FuzzAnswer | undefined> {
  const { method, target, headers, body } = request
  return new Promise((done, fail) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        agent,
        method,
        path: target,
        headers: headersOf(headers),
        timeout: patienceInMilliseconds,
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', () => done(undefined))
        answer.on('end', () => {
          const found = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const)
          done({ status: answer.statusCode!, headers: new Map(found), body: Buffer.concat(parts) })
        })
      },
    )
    sent.on('timeout', () => sent.destroy())
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done(undefined) : fail(error),
    )
    sent.end(body)
  })
}

function headersOf(headers: FuzzRequest['headers']): Record<string, string[]> {
  const byName: Record<string, string[]> = {}
  for (const [name, value] of headers) byName[name] = [...(byName[name] ?? []), value]
  return byName
}

/** Opens a new connection and writes the bytes unchanged. */
function sendBytes(port: number, request: FuzzRequest): Promise<FuzzAnswer | undefined> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    const parts: Buffer[] = []
    const finish = () => {
      clearTimeout(patience)
      socket.destroy()
      done(answerFrom(Buffer.concat(parts)))
    }
    const patience = setTimeout(finish, request.manner === 'raw' ? 500 : patienceInMilliseconds)
    socket.on('data', (part) => {
      parts.push(part)
      if (answerFrom(Buffer.concat(parts)) !== undefined) finish()
    })
    socket.on('error', finish)
    socket.on('close', finish)
    socket.on('connect', () => void write(request, (bytes) => socket.write(bytes), finish))
  })
}

async function write(request: FuzzRequest, put: (bytes: Buffer) => void, leave: () => void): Promise<void> {
  const bytes = bytesOf(request)
  if (request.manner === 'raw' || request.manner === 'whole') return put(bytes)
  const end = request.manner === 'hang up' ? Math.ceil(bytes.length * 0.7) : bytes.length
  const step = Math.ceil(end / 4)
  for (let at = 0; at < end; at += step) {
    put(bytes.subarray(at, Math.min(end, at + step)))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  if (request.manner === 'hang up') leave()
}

function bytesOf({ manner, method, target, headers, body = Buffer.alloc(0) }: FuzzRequest): Buffer {
  if (manner === 'raw') return body
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close']
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  const isMeasured = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  if (!isMeasured && body.length > 0) lines.push(`Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body])
}

/** Parses a response with a content length or without a body. Undefined until the response is complete. */
function answerFrom(bytes: Buffer): FuzzAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first, ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first!)?.[1])
  const rest = bytes.subarray(end + 4)
  if (status === 100) return answerFrom(rest)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const length = Number(headers.get('content-length') ?? 0)
  return rest.length < length ? undefined : { status, headers, body: rest.subarray(0, length) }
}
