import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { SpanKind } from '@opentelemetry/api'
import { type Deadline, startDeadline } from '#server/platform/http/requests/deadline.ts'
import { abortable } from '#server/platform/running/abortable.ts'
import { userAgent } from '#server/platform/running/product-version.ts'
import { inSpan, traceHeaders } from '#server/platform/running/trace-context.ts'
import { isLoopback, isPublicAddress } from './addresses.ts'
import { collect, drain, redirectOf } from './outbound-answer.ts'

export interface Post {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutInMilliseconds: number
}

export interface Get {
  readonly address: string
  /** Time limit for the whole operation: name lookups, redirects and the complete response. */
  readonly timeoutInMilliseconds: number
  readonly mostBytes: number
  readonly mostRedirects: number
  /** Accepted media types; defaults to pictures. */
  readonly accept?: string
  /** Receives the number of bytes so far. If it throws, the request is aborted. */
  readonly onProgress?: (bytes: number) => void
  readonly signal: AbortSignal
}

/** The only client for requests that leave this server. */
export interface Outbound {
  /**
   * Sends a single POST, without following redirects or retrying, and returns the status.
   * @throws if the address is not allowed, unreachable or too slow
   */
  post(post: Post): Promise<number>
  /**
   * Gets the body of a 200 response. Follows a few redirects, checking each one again.
   * @throws if an address is not allowed, unreachable or too slow, or returns another status or too many bytes
   */
  get(get: Get): Promise<Uint8Array>
}

/** Decides by host name and resolved IP address if a request may be sent. */
export type IsAllowed = (host: string, ip: string) => boolean

interface Options {
  /** Allows webhooks to receivers on this machine. */
  allowLoopback: boolean
  /** Hosts besides the public internet from which pictures may be fetched; defaults to none. */
  alsoGetFrom?: IsAllowed
  /** Resolves a name to all of its addresses; defaults to the system's resolver. */
  resolveName?: (host: string) => Promise<readonly Address[]>
}

interface Opening {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

interface Address {
  readonly address: string
  readonly family: number
}

/** A name's first address, if all of its addresses are allowed. @throws if one is not, or there is none */
async function checkedAddress(
  url: URL,
  isAllowed: IsAllowed,
  resolveName: NonNullable<Options['resolveName']>,
): Promise<Address> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveName(host)
  const [first] = found
  if (first === undefined || !found.every(({ address }) => isAllowed(host, address))) {
    throw Object.assign(new Error('This address is not allowed'), { code: 'ERR_ADDRESS_NOT_ALLOWED' })
  }
  return first
}

/**
 * [Note: Resolve once] Resolves a name once, checks all of its addresses, and connects to the checked address, so that the
 * name cannot point elsewhere in between. Ignores proxies configured in the environment.
 */
export function createOutbound({
  allowLoopback,
  alsoGetFrom,
  resolveName = systemLookup,
}: Options): Outbound {
  const mayPostTo: IsAllowed = (_host, ip) => isPublicAddress(ip) || (allowLoopback && isLoopback(ip))
  const mayGetFrom: IsAllowed = (host, ip) => isPublicAddress(ip) || (alsoGetFrom?.(host, ip) ?? false)

  async function open(url: URL, isAllowed: IsAllowed, { signal, body, ...options }: Opening) {
    refuseOddUrl(url)
    const checked = await checkedAddress(url, isAllowed, resolveName)
    signal.throwIfAborted()
    const lookup = answering(checked)
    const headers = { ...options.headers, 'User-Agent': userAgent }
    return send(url, { ...options, headers, agent: false, lookup }, signal, body)
  }

  async function postOnce({ address, headers, body }: Post, signal: AbortSignal): Promise<number> {
    const length = String(Buffer.byteLength(body))
    const options = {
      method: 'POST' as const,
      headers: { ...headers, ...traceHeaders(), 'Content-Length': length },
      body,
      signal,
    }
    const answer = await open(new URL(address), mayPostTo, options)
    await drain(answer)
    return answer.statusCode ?? 0
  }

  async function getAll(get: Get, signal: AbortSignal) {
    const { address, mostBytes, mostRedirects, accept = 'image/jpeg, image/png', onProgress } = get
    const headers = { Accept: accept, 'Accept-Encoding': 'identity' }
    let url = new URL(address)
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const answer = await open(url, mayGetFrom, { method: 'GET', headers, signal })
      const next = redirectOf(answer, url)
      if (next === undefined) return collect(answer, mostBytes, onProgress)
      answer.destroy()
      url = next
    }
    throw new Error('This address redirects too often')
  }

  return {
    post: (post) =>
      inSpanWithin(startDeadline(post.timeoutInMilliseconds), (signal) => postOnce(post, signal)),
    get: (get) =>
      within(startDeadline(get.timeoutInMilliseconds, get.signal), (signal) => getAll(get, signal)),
  }
}

function inSpanWithin<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return inSpan('POST', { kind: SpanKind.CLIENT }, () => within(deadline, work))
}

const systemLookup = (host: string) => lookup(host, { all: true })

function refuseOddUrl({ protocol, username, password }: URL): void {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('An address must be http or https')
  if (username !== '' || password !== '') throw new Error('An address must not contain user information')
}

/** The `lookup` function that Node calls for an address. It returns the checked address. */
function answering({ address, family }: Address): LookupFunction {
  return (_host, options, callback) =>
    options.all === true ? callback(null, [{ address, family }]) : callback(null, address, family)
}

/** Resolves when the response's head arrives. The signal also cuts the connection while the body is being read. */
function send(
  url: URL,
  options: RequestOptions,
  signal: AbortSignal,
  body: string | undefined,
): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, done)
    const cut = () => request.destroy(signal.reason)
    signal.addEventListener('abort', cut, { once: true })
    request.once('close', () => signal.removeEventListener('abort', cut))
    request.on('error', fail)
    request.end(body)
  })
}

/** Rejects with the signal's reason when the time is up, even if the work is still waiting. */
async function within<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await abortable(work(deadline.signal), deadline.signal)
  } finally {
    deadline.end()
  }
}
