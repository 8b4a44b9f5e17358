import { connect } from 'node:net'
import { getFaceEmbeddings } from '../../../shared/contract/analysis/face-verification.ts'
import { initRedirectSession, limits, submitStep } from '../../../shared/contract/sessions/session.ts'
import { smallBodyInBytes } from '../../../shared/endpoint.ts'

const addresses = 20
const connectionsOfAddress = 15
const connectionsOfLink = 8
const slowReaders = 20
const mebibyte = 1024 * 1024
const comeAgainAfterMilliseconds = 2_000

/** Connections that occupy resources for as long as they can. */
export interface Holders {
  opened(): number
  /** How many connections were answered or closed, and then replaced. */
  ended(): number
  end(): void
}

interface HeldCredentials {
  readonly sessionToken: string
  readonly apiKey: string
  readonly image: string
}

interface Request {
  readonly head: string
  /** Sent at once, with nothing after it. */
  readonly body: Buffer
  readonly localAddress?: string
  /** False if the answer is never read. */
  readonly reads: boolean
}

/**
 * Opens 300 connections from 20 addresses without a credential, eight for a single link, and twenty that do not read. Each one is reopened when it
 * ends.
 */
export function floodConnections(port: number, known: HeldCredentials): Holders {
  let goesOn = true
  let opened = 0
  let ended = 0
  const sockets = new Set<ReturnType<typeof connect>>()

  function open(request: Request): void {
    if (!goesOn) return
    opened++
    const { head, body, localAddress, reads } = request
    const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) })
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('connect', () => {
      socket.write(`POST ${head}\r\n\r\n`)
      if (body.length > 0) socket.write(body)
    })
    // An early answer means that the server does not want the rest of the body, so the connection is reopened.
    if (reads) socket.once('data', () => socket.destroy())
    else socket.pause()
    socket.once('close', () => {
      sockets.delete(socket)
      if (goesOn) ended++
      setTimeout(() => open(request), comeAgainAfterMilliseconds).unref()
    })
  }

  for (const request of requestsOf(known)) open(request)
  return {
    opened: () => opened,
    ended: () => ended,
    end() {
      goesOn = false
      for (const socket of sockets) socket.destroy()
    },
  }
}

function requestsOf({ sessionToken, apiKey, image }: HeldCredentials): Request[] {
  const bytes = Buffer.alloc(limits.bodyBytes - 1, 'x')
  const strangers = Array.from({ length: addresses * connectionsOfAddress }, (_, i) => ({
    head: headOf(initRedirectSession.path, i % 3 === 0 ? 16 * mebibyte : smallBodyInBytes),
    body: bytes.subarray(0, i % 3 === 0 ? 15 * mebibyte : smallBodyInBytes - 1),
    localAddress: `127.0.0.${2 + (i % addresses)}`,
    reads: true,
  }))
  const ofLink = Array.from({ length: connectionsOfLink }, () => ({
    head: headOf(submitStep.path, limits.bodyBytes, `Bearer ${sessionToken}`),
    body: bytes,
    reads: true,
  }))
  const ask = Buffer.from(JSON.stringify({ image: { bytes: image }, maxFaceCount: 100 }))
  const readers = Array.from({ length: slowReaders }, () => ({
    head: headOf(getFaceEmbeddings.path, ask.length, `ApiKey ${apiKey}`),
    body: ask,
    reads: false,
  }))
  return [...strangers, ...ofLink, ...readers]
}

function headOf(path: string, length: number, authorization?: string): string {
  const fields = [
    `${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
  ]
  return fields.join('\r\n')
}
