import type { Page } from '@playwright/test'

/** Milliseconds that the page's worker needs more for a picture, for each time that the device is slower than this machine. */
const workerMillisecondsEach = 34

/**
 * The page's own thread by `times`; its worker, which no protocol slows down, waits before each thing that it is asked, about as long
 * as it would need more unless that is given.
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
