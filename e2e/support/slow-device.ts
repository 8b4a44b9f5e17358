import type { Page } from '@playwright/test'

/** The additional milliseconds per picture in the page's worker, for each factor by which the device is slower than this machine. */
const workerMillisecondsEach = 34

/**
 * Slows down the page's main thread by `times`. No protocol can slow down its worker, so the worker waits before each call, by
 * default for about the additional time that it would need.
 */
export async function slowDown(
  page: Page,
  times: number,
  workerMilliseconds = (times - 1) * workerMillisecondsEach,
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
  const wait = (milliseconds: number) => {
    const { buffer } = new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 })
    addEventListener('message', () => void Atomics.wait(new Int32Array(buffer), 0, 0, milliseconds))
  }
  for (const worker of page.workers()) await worker.evaluate(wait, workerMilliseconds)
  page.on('worker', (worker) => void worker.evaluate(wait, workerMilliseconds))
}
