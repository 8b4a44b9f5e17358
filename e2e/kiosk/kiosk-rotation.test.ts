import type { Page } from '@playwright/test'
import { createCheck } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { untilArrived } from '../support/kiosk/kiosk-arrivals.ts'
import { clearAnswer, makeKiosk, pairDevice, visitKiosk } from '../support/kiosk/kiosk-device.ts'
import { deviceAt } from '../support/kiosk/kiosk-torture.ts'
import { long } from '../support/length.ts'
import { clockOffBy } from '../support/shifted-clock.ts'

const age = { age: { type: 'CalculationOnly' } } as const

/** The keys that seal the captures that are waiting. */
function sealedTo(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('selfsame-kiosk')
    await new Promise((resolve) => opening.addEventListener('success', resolve))
    const reading = opening.result.transaction('queue').objectStore('queue').getAll()
    await new Promise((resolve) => reading.addEventListener('success', resolve))
    opening.result.close()
    const heads = reading.result.map(({ sealed }: { sealed: string }) => sealed.split('.')[0]!)
    return heads.map((head) => JSON.parse(atob(head.replaceAll('-', '+').replaceAll('_', '/'))).kid)
  })
}

test(
  'captures sealed before a key rotation arrive, and later ones are sealed to the new key',
  long,
  async ({ freshSite: site, browser }) => {
    await site.product.pause()
    await site.product.resume(clockOffBy(-91)) // a sealing key lasts 90 days
    const device = await deviceAt(site, browser)
    try {
      const kiosk = await makeKiosk(site, await createCheck(site, age))
      await pairDevice(device, kiosk)
      await device.context().setOffline(true)
      await visitKiosk(device.page())
      await clearAnswer(device.page())
      const before = await sealedTo(device.page())
      expect(before).toHaveLength(1)

      await site.product.pause()
      await site.product.resume()
      await device.context().setOffline(false)
      expect(await untilArrived(site, kiosk.kioskId, 1)).toHaveLength(1)
      await expect.poll(() => sealedTo(device.page())).toEqual([])
      await device.context().setOffline(true)
      await visitKiosk(device.page())
      await clearAnswer(device.page())
      const after = await sealedTo(device.page())
      expect(after).toHaveLength(1)
      expect(after).not.toEqual(before)
      await device.context().setOffline(false)
      expect(await untilArrived(site, kiosk.kioskId, 2)).toHaveLength(2)
    } finally {
      await device.discard()
    }
  },
)
