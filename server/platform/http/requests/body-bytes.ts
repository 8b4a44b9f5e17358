import type { IncomingMessage } from 'node:http'
import type { Lease } from '#server/platform/running/byte-budget.ts'
import { Problem } from '#shared/problem.ts'

/** A body's minimum transfer rate: this many bytes in each interval, except the last. */
export interface LeastRate {
  readonly bytes: number
  readonly inMilliseconds: number
}

/** [Note: Ours] Tolerates a network that drops out for a few seconds, but not a client that withholds bytes. */
export const usualLeastRate: LeastRate = { bytes: 16 * 1024, inMilliseconds: 10_000 }

/** True if the client waits for `100 Continue` before sending the body. */
export function isAsked(expect: string | undefined): boolean {
  return /^100-continue$/i.test(expect ?? '')
}

interface Bounds {
  readonly limitInBytes: number
  readonly lease: Pick<Lease, 'expect' | 'take'>
  readonly leastRate: LeastRate
}

/**
 * The bytes of a body that has already arrived in full, as small bodies do together with their head. Undefined for all
 * others.
 * @throws {Problem} 413 beyond the limit, 503 if there is no room for it
 */
export function bytesThere(
  request: IncomingMessage,
  { limitInBytes, lease }: Omit<Bounds, 'leastRate'>,
): Buffer | undefined {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced === 0 || request.readableLength !== announced || request.readableFlowing !== null)
    return undefined
  if (announced > limitInBytes) throw tooLarge()
  lease.take(announced)
  return request.read() as Buffer
}

/**
 * Reads a body's bytes into a buffer of the announced length, and stops at the limit.
 * @throws {Problem} 400 if the body is cut off, 408 if it is too slow, 413 beyond the limit, 503 if there is no room for
 * it
 */
export function readBytes(
  request: IncomingMessage,
  { limitInBytes, lease, leastRate }: Bounds,
): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > limitInBytes) throw tooLarge()
  lease.expect(announced)
  return new Promise((done, fail) => {
    if (!request.readable) return fail(unreadable())
    const body = collector(announced)
    const watch = watchRate(
      () => body.length(),
      leastRate,
      () => end(tooSlow()),
    )
    const takeIn = (chunk: Buffer) => {
      try {
        if (body.length() + chunk.length > limitInBytes) throw tooLarge()
        lease.take(chunk.length)
        body.add(chunk)
      } catch (error) {
        end(error)
      }
    }
    const settle = () => end(undefined)
    const breakOff = () => end(unreadable())
    function end(error: unknown): void {
      clearInterval(watch)
      request.off('data', takeIn).off('end', settle).off('error', breakOff).off('close', breakOff)
      // Discards the rest of the body so that the client can read the response.
      request.on('error', () => undefined).resume()
      if (error === undefined) done(body.whole())
      else fail(error)
    }
    request.on('data', takeIn).once('end', settle).once('error', breakOff).once('close', breakOff)
  })
}

/** [Note: Memory as it comes] The announced length is allocated at once; the system commits pages as they fill up. */
function collector(announced: number) {
  let room: Buffer | undefined
  let chunks: Buffer[] = []
  let length = 0
  return {
    length: () => length,
    add(chunk: Buffer): void {
      const isAlone = length === 0 && chunk.length >= announced
      if (announced > 0 && !isAlone) {
        room ??= Buffer.allocUnsafeSlow(announced)
        chunk.copy(room, length)
      } else chunks.push(chunk)
      length += chunk.length
    },
    whole(): Buffer {
      const found = room?.subarray(0, length) ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
      chunks = []
      return found
    },
  }
}

/** Calls back if the bytes arrive too slowly. The reader clears the timer. */
export function watchRate(length: () => number, { bytes, inMilliseconds }: LeastRate, onSlow: () => void) {
  let before = 0
  return setInterval(() => {
    if (length() - before < bytes) onSlow()
    before = length()
  }, inMilliseconds).unref()
}

export function unreadable(): Problem {
  return Problem.at('#', 'The body could not be read.')
}

export function tooSlow(): Problem {
  return new Problem('request_timeout', 'The body arrived too slowly.')
}

export function tooLarge(): Problem {
  return new Problem('body_too_large', 'The body is too large for this endpoint.')
}
