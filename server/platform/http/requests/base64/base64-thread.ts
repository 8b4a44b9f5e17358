import { loopTurns } from '#server/platform/running/loop-turns.ts'
import { type OpenWorker, openWorker } from '#server/platform/running/open-worker.ts'
import {
  type DecodedBytes,
  decodeBase64,
  holdsWhiteSpace,
  longestOf,
  longestPrefix,
  tooLongFault,
} from './base64.ts'

/** A string to decode. */
export interface Base64Order {
  readonly number: number
  readonly text: string
  readonly mostBytes: number
}

export interface Base64Answer {
  readonly number: number
  readonly decoded: DecodedBytes
}

/** Decodes Base64 like `decodeBase64`, in any thread. */
export type DecodeBase64 = (text: string, mostBytes: number) => Promise<DecodedBytes>

/** Longer strings are decoded in the thread, because 10 MiB would block the event loop for 50 ms. */
export const longTextInCharacters = 256 * 1024

/** For processes that serve no requests. */
export const decodeHere: DecodeBase64 = async (text, mostBytes) => decodeBase64(text, mostBytes)

interface WaitingText {
  readonly done: (decoded: DecodedBytes) => void
  readonly fail: (error: Error) => void
}

/**
 * Decodes long strings in a separate thread, which starts with the first one. Strings that are too long for `mostBytes` are
 * refused here, before they are copied, unless line breaks may account for the length. If the thread ends, the strings it
 * was decoding fail, and the next string starts another thread.
 */
export function createBase64Thread(
  file: string,
  start: (file: string) => OpenWorker = (path) => openWorker(path, 'Base64', undefined),
): DecodeBase64 {
  const waiting = new Map<number, WaitingText>()
  let thread: OpenWorker | undefined
  let orders = 0

  function open(): OpenWorker {
    const opened = start(file)
    opened.worker.on('message', ({ number, decoded }: Base64Answer) => {
      waiting.get(number)?.done(decoded)
      waiting.delete(number)
    })
    void opened.failed.then((error) => {
      thread = undefined
      for (const { fail } of waiting.values()) fail(error)
      waiting.clear()
    })
    return opened
  }

  return async (text, mostBytes) => {
    if (text.length > longestOf(mostBytes) + longestPrefix && !holdsWhiteSpace(text))
      return tooLongFault(mostBytes)
    if (text.length <= longTextInCharacters) return decodeBase64(text, mostBytes)
    // The string was parsed in this turn, and copying it for the thread takes a few milliseconds more.
    await loopTurns.next()
    thread ??= open()
    const { worker } = thread
    return new Promise((done, fail) => {
      const number = ++orders
      waiting.set(number, { done, fail })
      worker.postMessage({ number, text, mostBytes } satisfies Base64Order)
    })
  }
}
