import type { Route } from '@playwright/test'
import { createCheck } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { untilArrived } from '../support/kiosk/kiosk-arrivals.ts'
import {
  atRest,
  clearAnswer,
  type KioskDevice,
  leaveAnswer,
  makeKiosk,
  pairDevice,
  visitKiosk,
  whileClockStands,
} from '../support/kiosk/kiosk-device.ts'
import { dumpStored, fillStorage } from '../support/kiosk/kiosk-dump.ts'
import { deviceAt } from '../support/kiosk/kiosk-torture.ts'
import { long } from '../support/length.ts'

/** There is no challenge, so a visit takes seconds. */
const age = { age: { type: 'CalculationOnly' } } as const

/** Less than a capture needs, but more than the browser's own files will grow. */
const spareBytes = 80_000

/** Generous, because performance is not tested here. */
const slow = { timeout: 150_000 }

const refuse = (route: Route) =>
  route.fulfill({
    status: 400,
    contentType: 'application/problem+json',
    json: { type: 'about:blank', title: 'Refused', status: 400, detail: 'no', code: 'capture_refused' },
  })

test.describe('a kiosk whose disk is full', () => {
  test.describe.configure({ mode: 'serial' })
  let device: KioskDevice
  let kiosk: Awaited<ReturnType<typeof makeKiosk>>
  const page = () => device.page()
  const heading = (name: string) => page().getByRole('heading', { level: 1, name })
  const press = (name: string) => page().getByRole('button', { name, exact: true }).click()
  const tryPin = async (typed: string) => {
    await page().getByLabel('PIN').fill(typed)
    await press('Open')
  }

  test.beforeAll(async ({ site, host }) => {
    device = await deviceAt(site, host)
    kiosk = await makeKiosk(site, await createCheck(site, age))
    await pairDevice(device, kiosk)
  })

  test.afterAll(() => device.discard())

  test('sets rejected captures aside and puts them back', long, async ({ site }) => {
    await device.context().setOffline(true)
    await visitKiosk(page())
    await clearAnswer(page())
    await fillStorage(page())
    await device.context().route('**/v1/kiosk/submit', refuse)
    await device.context().setOffline(false)
    await expect.poll(async () => (await dumpStored(page())).captures, slow).toBe(0)
    await device.context().unroute('**/v1/kiosk/submit')
    await press('Staff')
    await tryPin('2468')
    await press('Queue')
    await expect(page().getByText('1 check set aside')).toBeVisible()
    await press('Try those set aside')
    expect(await untilArrived(site, kiosk.kioskId, 1)).toHaveLength(1)
    await expect(page().getByText('0 checks set aside')).toBeVisible(slow)
    await press('Close')
    await atRest(page())
  })

  test('counts wrong PINs even after a reload', long, async () => {
    await device.context().setOffline(true)
    await fillStorage(page())
    // The third wrong PIN causes a five-second wait, and a reload may take longer than that on a busy machine.
    await whileClockStands(page(), async () => {
      await press('Staff')
      for (let wrong = 0; wrong < 3; wrong++) {
        await tryPin('9999')
        await expect(page().locator('.trouble')).toContainText('This is not the PIN.', slow)
        await expect(page().locator('[aria-busy="true"]')).toHaveCount(0, slow)
      }
      await page().reload()
      await atRest(page())
      await press('Staff')
      await tryPin('2468')
      await expect(page().getByText('The next try is possible in')).toBeVisible(slow)
      await press('Close')
    })
    await page().reload()
    await atRest(page())
  })

  test('keeps the check of a person who has begun, and only then closes', long, async () => {
    await fillStorage(page(), spareBytes)
    await visitKiosk(page())
    await expect(heading('This check could not be saved')).toHaveCount(0)
    expect((await dumpStored(page())).captures).toBe(1)
    await leaveAnswer(page())
    await expect(heading('No new checks now')).toBeVisible(slow)
    await expect(page().getByText('Saved checks are safe.')).toBeVisible()
    await page().reload()
    await expect(heading('No new checks now')).toBeVisible(slow)
  })

  test('sends its captures, and opens when there is space again', long, async ({ site }) => {
    await device.context().setOffline(false)
    expect(await untilArrived(site, kiosk.kioskId, 2)).toHaveLength(2)
    await atRest(page())
    expect((await dumpStored(page())).captures).toBe(0)
  })
})
