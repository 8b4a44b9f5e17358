import type { Page } from '@playwright/test'
import { median, quantile } from '#lab/statistics/quantile.ts'
import { createCheck } from '../../e2e/support/acted/scenario.ts'
import {
  atRest,
  clearAnswer,
  type KioskDevice,
  makeKiosk,
  pairDevice,
  visitKiosk,
} from '../../e2e/support/kiosk/kiosk-device.ts'
import { withDevice } from '../../e2e/support/kiosk/kiosk-torture.ts'
import { slowDown } from '../../e2e/support/slow-device.ts'

const visits = Number(process.env.BENCH_KIOSK_VISITS ?? 10)

/** How much longer a picture's full analysis takes on a device that is four times slower. */
const workerMilliseconds = 300

/**
 * Measures the kiosk without its server: the time from the last picture to the final answer, by which time the capture has been analysed, sealed and
 * written to disk. Runs at full speed and as on a device that is four times slower, checking liveness with a challenge, and age.
 */
export async function benchKiosk(): Promise<Record<string, number>> {
  return withDevice(async (site, device) => {
    const check = await createCheck(site, {
      liveness: { type: 'Verification', challengeType: 'Balanced' },
      age: { type: 'CalculationOnly' },
    })
    await pairDevice(device, await makeKiosk(site, check))
    await site.product.pause()
    await visitKiosk(device.page())
    await clearAnswer(device.page())
    const plain = await measure(device)
    await slowDown(device.page(), 4, workerMilliseconds)
    const throttled = await measure(device)
    return { visits, ...figuresOf('', plain), ...figuresOf('throttled.', throttled) }
  })
}

async function measure(device: KioskDevice): Promise<number[]> {
  const page = device.page()
  const taken: number[] = []
  while (taken.length < visits) {
    await page.evaluate(() => performance.clearMarks())
    const heading = await visitKiosk(page)
    const milliseconds = await answerTime(page)
    console.log(`${heading}: ${milliseconds.toFixed(0)} ms`)
    taken.push(milliseconds)
    await clearAnswer(page)
    await atRest(page)
  }
  return taken
}

function answerTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const at = (name: string) => performance.getEntriesByName(`selfsame:${name}`).at(-1)!.startTime
    return at('verdict') - at('last-frame')
  })
}

function figuresOf(prefix: string, values: readonly number[]): Record<string, number> {
  return {
    [`${prefix}lastFrameToAnswerMs.p50`]: median(values),
    [`${prefix}lastFrameToAnswerMs.p95`]: quantile(values, 0.95),
  }
}
