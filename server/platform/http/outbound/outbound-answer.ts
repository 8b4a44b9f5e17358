import type { IncomingMessage } from 'node:http'

const mostDrainedBytes = 64 * 1024
const redirects = new Set([301, 302, 303, 307, 308])

/** A redirect's target, or undefined if the response is not a redirect. */
export function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!redirects.has(statusCode ?? 0)) return undefined
  if (headers.location === undefined) throw new Error('The redirect has no address')
  return new URL(headers.location, from)
}

/** A 200 response's whole body as sent, uncompressed and limited in size. */
export function collect(
  answer: IncomingMessage,
  mostBytes: number,
  onProgress?: (bytes: number) => void,
): Promise<Uint8Array> {
  return new Promise((done, fail) => {
    const refuse = (why: unknown) => {
      answer.destroy()
      fail(typeof why === 'string' ? new Error(why) : why)
    }
    const encoding = answer.headers['content-encoding'] ?? 'identity'
    if (answer.statusCode !== 200) return refuse('The response is not a 200')
    if (encoding.toLowerCase() !== 'identity') return refuse('The response is compressed')
    if (Number(answer.headers['content-length'] ?? 0) > mostBytes) return refuse('The response is too large')
    const chunks: Buffer[] = []
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) refuse('The response is too large')
      else chunks.push(chunk)
      try {
        onProgress?.(bytes)
      } catch (error) {
        refuse(error)
      }
    })
    answer.once('end', () =>
      answer.complete ? done(Buffer.concat(chunks)) : refuse('The response was cut off'),
    )
    answer.once('error', fail)
    answer.once('close', () => fail(new Error('The response was cut off')))
  })
}

/** Reads the response body up to a limit, so that the timeout covers the whole response. */
export function drain(answer: IncomingMessage): Promise<void> {
  return new Promise((done, fail) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostDrainedBytes) {
        done()
        answer.destroy()
      }
    })
    answer.once('end', done)
    answer.once('error', fail)
  })
}
