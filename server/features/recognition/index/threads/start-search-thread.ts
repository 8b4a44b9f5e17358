import { openWorker } from '#server/platform/running/open-worker.ts'
import type { Answer, Order, SearchThreadData } from './wire.ts'

/** A thread that executes orders in sequence. */
export interface RunningThread {
  /** Transferred buffers belong to the thread afterwards. */
  post(order: Order, handedOver?: readonly ArrayBuffer[]): void
  onAnswer(listener: (answer: Answer) => void): void
  /** Resolves when the thread has ended. */
  readonly failed: Promise<Error>
  stop(): Promise<void>
}

/** Starts a file's search worker as a separate thread, for vectors of one length; `mostPages` is the same as in SearchThreadData. */
export function startSearchThread(file: string, length: number, mostPages?: number): RunningThread {
  const data: SearchThreadData = { length, mostPages }
  const { worker, failed } = openWorker(file, 'search', data)
  return {
    post: (order, handedOver = []) => worker.postMessage(order, handedOver),
    onAnswer: (listener) => void worker.on('message', listener),
    failed,
    stop: async () => void (await worker.terminate()),
  }
}
