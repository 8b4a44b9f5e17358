import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
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
  /** For everything together: every name, every redirect, the whole answer. */
  readonly timeoutInMilliseconds: number
  readonly mostBytes: number
  readonly mostRedirects: number
  /** The kinds of content that are asked for; pictures where not given. */
  readonly accept?: string
  /** Told how many bytes of the answer there are so far; ends it by throwing. */
  readonly onProgress?: (bytes: number) => void
  readonly signal: AbortSignal
}

/** The one client for requests that leave this server. */
export interface Outbound {
  /**
   * Posts once: no redirect, no second try; answers the status.
   * @throws when the address is not allowed, unreachable or too slow
   */
  post(post: Post): Promise<number>
  /**
   * Gets the bytes of a 200, over a few redirects of which each is checked anew.
   * @throws when an address is not allowed, unreachable, too slow, or answers something else or too much
   */
  get(get: Get): Promise<Uint8Array>
}

/** Whether a request may go to this address, by the host's name and by the IP that it stands for. */
export type IsAllowed = (host: string, ip: string) => boolean

interface Options {
  /** Whether webhooks may go to receivers on this machine. */
  allowLoopback: boolean
  /** Where pictures may be fetched besides the public internet; nowhere where not given. */
  alsoGetFrom?: IsAllowed
  /** Every address of a name; the system's resolver where not given. */
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

/** The first address of a name, all of which are allowed. @throws when one is not, or there is none */
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
 * [Note: Resolve once] A name is resolved one time, every address of it is checked, and the connection goes to the
 * address that was checked: a name cannot point elsewhere in between. No proxy of the environment stands in between.
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
    const lookup = answering(checked) as never
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
    throw new Error('This address is redirected too often')
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
  if (username !== '' || password !== '') throw new Error('An address must carry no user information')
}

/** What Node asks for an address, answered with the one that was checked. */
function answering({ address, family }: Address) {
  return (_host: string, options: { all?: boolean }, callback: (...args: unknown[]) => void) =>
    options.all === true ? callback(null, [{ address, family }]) : callback(null, address, family)
}

/** The answer's head. The signal cuts the connection, also while the rest of the answer is read. */
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

/** Rejects with the signal's reason as soon as the time is over, whatever the work still waits for. */
async function within<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await abortable(work(deadline.signal), deadline.signal)
  } finally {
    deadline.end()
  }
}
