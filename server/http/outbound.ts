import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { isLoopback, isPublicAddress } from './addresses.ts'

const mostAnswerBytes = 64 * 1024

export interface Post {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutInMilliseconds: number
}

/** The one client for requests that leave this server. */
export interface Outbound {
  /**
   * Posts once: no redirect, no second try; answers the status.
   * @throws when the address is not allowed, unreachable or too slow
   */
  post(post: Post): Promise<number>
}

/**
 * [Note: Resolve once] A name is resolved one time, every address of it is checked, and the connection goes to the
 * address that was checked: a name cannot point elsewhere in between.
 */
export function createOutbound({ allowLoopback }: { allowLoopback: boolean }): Outbound {
  const isAllowed = (ip: string) => isPublicAddress(ip) || (allowLoopback && isLoopback(ip))

  async function resolve(url: URL): Promise<{ ip: string; family: number }> {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true })
    if (found.length === 0 || !found.every(({ address }) => isAllowed(address))) {
      throw new Error('This address is not allowed')
    }
    return { ip: found[0]!.address, family: found[0]!.family }
  }

  return {
    async post({ address, headers, body, timeoutInMilliseconds }) {
      const signal = AbortSignal.timeout(timeoutInMilliseconds)
      const url = new URL(address)
      const { ip, family } = await within(resolve(url), signal)
      const options: RequestOptions = {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
        agent: false,
        signal,
        lookup: (_host, _options, callback) => answerLookup(callback, _options, ip, family),
      }
      return send(url, options, body)
    },
  }
}

function answerLookup(
  callback: (...args: never[]) => void,
  options: { all?: boolean | undefined },
  ip: string,
  family: number,
): void {
  const answer = options.all === true ? [null, [{ address: ip, family }]] : [null, ip, family]
  ;(callback as (...args: unknown[]) => void)(...answer)
}

function send(url: URL, options: RequestOptions, body: string): Promise<number> {
  return new Promise((done, fail) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, (answer) => {
      drain(answer).then(() => done(answer.statusCode ?? 0), fail)
    })
    request.once('error', fail)
    request.end(body)
  })
}

/** Reads what is sent, up to a limit, so that the time-out covers the whole answer. */
function drain(answer: IncomingMessage): Promise<void> {
  return new Promise((done, fail) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostAnswerBytes) {
        done()
        answer.destroy()
      }
    })
    answer.once('end', done)
    answer.once('error', fail)
  })
}

function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const timeOut = new Promise<never>((_done, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
  })
  return Promise.race([work, timeOut])
}
