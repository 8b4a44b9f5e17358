/** Lets work run as long as its pixels fit beside those of the work under way; otherwise it waits its turn. */
export type WithinBudget = <T>(pixels: number, work: () => Promise<T>) => Promise<T>

/** [Note: Pixels in flight] Decoded pictures take most of the memory, so their pixels are limited over all workers together. */
export function createPixelBudget(mostPixels: number): WithinBudget {
  const waiting: { pixels: number; start: () => void }[] = []
  let inFlight = 0

  function startThoseThatFit(): void {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      if (inFlight > 0 && inFlight + next.pixels > mostPixels) return
      inFlight += next.pixels
      waiting.shift()
      next.start()
    }
  }

  return async (pixels, work) => {
    await new Promise<void>((start) => {
      waiting.push({ pixels, start })
      startThoseThatFit()
    })
    try {
      return await work()
    } finally {
      inFlight -= pixels
      startThoseThatFit()
    }
  }
}
