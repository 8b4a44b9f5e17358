import type { IncomingMessage } from 'node:http'

const mostDrainedBytes = 64 * 1024
const redirects = new Set([301, 302, 303, 307, 308])

/** Where the answer sends us on, or undefined where it is an answer. */
export function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!redirects.has(statusCode ?? 0)) return undefined
  if (headers.location === undefined) throw new Error('A redirect without an address')
  return new URL(headers.location, from)
}

/** The whole body of a 200, as it was sent: not compressed, and of a bounded size. */
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
    if (answer.statusCode !== 200) return refuse('The answer is not a success')
    if (encoding.toLowerCase() !== 'identity') return refuse('The answer is encoded')
    if (Number(answer.headers['content-length'] ?? 0) > mostBytes) return refuse('The answer is too large')
    const chunks: Buffer[] = []
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) refuse('The answer is too large')
      else chunks.push(chunk)
      try {
        onProgress?.(bytes)
      } catch (error) {
        refuse(error)
      }
    })
    answer.once('end', () =>
      answer.complete ? done(Buffer.concat(chunks)) : refuse('The answer was cut off'),
    )
    answer.once('error', fail)
    answer.once('close', () => fail(new Error('The answer was cut off')))
  })
}

/** Reads what is sent, up to a limit, so that the time-out covers the whole answer. */
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
