import type { Page } from '@playwright/test'

/** The page's own thread by a rate; its worker, which no protocol slows down, waits so long before each thing that it is asked. */
export async function slowDown(page: Page, workerMilliseconds: number, rate = 4): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  const wait = (milliseconds: number) => {
    const { buffer } = new WebAssembly.Memory({ shared: true, initial: 1, maximum: 1 })
    addEventListener('message', () => void Atomics.wait(new Int32Array(buffer), 0, 0, milliseconds))
  }
  for (const worker of page.workers()) await worker.evaluate(wait, workerMilliseconds)
  page.on('worker', (worker) => void worker.evaluate(wait, workerMilliseconds))
}
