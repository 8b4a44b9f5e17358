import { call } from '#shared/call.ts'
import { revokeKiosk } from '#shared/contract/kiosk/kiosk.ts'
import { hasFootage } from '../support/acted/clips.ts'
import { createCheck } from '../support/acted/scenario.ts'
import { expect, test } from '../support/fixture.ts'
import { untilArrived } from '../support/kiosk/kiosk-arrivals.ts'
import {
  atRest,
  clearAnswer,
  type KioskDevice,
  listedKiosk,
  makeKiosk,
  pairDevice,
  setClockBack,
  visitKiosk,
} from '../support/kiosk/kiosk-device.ts'
import { dumpStored, filesOf, recordPictures, takenPictures, tracesIn } from '../support/kiosk/kiosk-dump.ts'
import { deviceAt, surviveKills } from '../support/kiosk/kiosk-torture.ts'
import { isLong, long } from '../support/length.ts'

/** There is no challenge, so a visit takes seconds. */
const age = { age: { type: 'CalculationOnly' } } as const

/** `npm run torture -- kiosk` repeats it more often. */
const endings = isLong
  ? ({
      checks: { liveness: { type: 'Verification', challengeType: 'Balanced' } },
      visits: 4,
      kills: 3,
    } as const)
  : { checks: age, visits: 2, kills: 2 }

test(
  'a kiosk whose browser is killed keeps acknowledged captures, and each arrives once and in order',
  long,
  async ({ site, browser }) => {
    test.setTimeout(420_000)
    const device = await deviceAt(site, browser)
    try {
      let lost = 0
      const { acknowledged, unknown, arrivals, receivedCount } = await surviveKills(
        site,
        device,
        endings,
        async () => {
          // The network fails while sending: the server has the capture, but the kiosk did not get an answer.
          await device.context().route('**/v1/kiosk/submit', async (route) => {
            if (lost++ < 2) await route.fetch()
            return lost <= 2 ? route.abort() : route.continue()
          })
        },
      )
      expect(lost).toBeGreaterThan(2)
      expect(acknowledged.length).toBe(endings.visits)
      if (hasFootage)
        expect(acknowledged.filter((heading) => heading === 'All done').length).toBeGreaterThanOrEqual(
          endings.visits - 1,
        )
      const captures = arrivals.map(({ kiosk }) => kiosk.captureId)
      expect(new Set(captures).size, 'no capture became two sessions').toBe(captures.length)
      expect(receivedCount).toBe(captures.length)
      expect(captures.length).toBeGreaterThanOrEqual(acknowledged.length)
      expect(captures.length).toBeLessThanOrEqual(acknowledged.length + unknown)
      const times = arrivals.map(({ capturedAt }) => capturedAt)
      expect(times).toEqual([...times].sort())
      for (const { kiosk, verificationResult } of arrivals) {
        const { result } = kiosk.answer
        expect(kiosk.differs).toBe(result !== 'Pending' && result !== verificationResult)
      }
    } finally {
      await device.discard()
    }
  },
)

test.describe('a kiosk and its admin', () => {
  test.describe.configure({ mode: 'serial' })
  let device: KioskDevice
  let kiosk: Awaited<ReturnType<typeof makeKiosk>>
  const heading = (name: string) => device.page().getByRole('heading', { level: 1, name })
  const visitOffline = async () => {
    await device.context().setOffline(true)
    await visitKiosk(device.page())
    await clearAnswer(device.page())
  }

  test.beforeAll(async ({ site, host }) => {
    device = await deviceAt(site, host)
    await setClockBack(device.page(), 3600)
    await recordPictures(device.page())
    await device.page().reload()
    kiosk = await makeKiosk(site, await createCheck(site, age))
    await pairDevice(device, kiosk)
  })

  test.afterAll(() => device.discard())

  test('reports a wrong clock and corrects the times of captures', long, async ({ site }) => {
    const before = Date.now()
    await visitKiosk(device.page())
    const [arrival] = await untilArrived(site, kiosk.kioskId, 1)
    expect(Math.abs(Date.parse(arrival!.capturedAt) - before)).toBeLessThan(120_000)
    expect(Math.round(arrival!.kiosk.clockDriftInSeconds / 60)).toBe(-60)
    await device.page().reload()
    await atRest(device.page())
    await expect.poll(async () => (await listedKiosk(site, kiosk.kioskId)).clockIsOff).toBe(true)
  })

  test('stores no readable picture, face code or key, not even on the disk', long, async ({ site }) => {
    await visitOffline()
    const pictures = await takenPictures(device.page())
    expect(pictures.length).toBeGreaterThan(0)
    const dump = await dumpStored(device.page())
    expect(dump.captures, 'there is a capture to search').toBe(1)
    expect(dump.keyCameOut).toBe(false)
    expect(dump.texts.flatMap((text) => tracesIn(text, pictures))).toEqual([])
    const inTheClear = JSON.stringify({ frames: pictures })
    expect(tracesIn(inTheClear, pictures), 'the search finds unencrypted pictures').not.toEqual([])
    expect(tracesIn(Buffer.from(inTheClear).toString('base64url'), pictures)).not.toEqual([])

    await device.kill()
    const files = await filesOf(device.profile)
    expect(files.some((file) => file.length > 100_000)).toBe(true)
    expect(files.flatMap((file) => tracesIn(file, pictures))).toEqual([])
    await device.start()
    await atRest(device.page())
    expect(await untilArrived(site, kiosk.kioskId, 2)).toHaveLength(2)
  })

  test(
    'starts no new checks after it is revoked, sends nothing and keeps its captures',
    long,
    async ({ site }) => {
      await visitOffline()
      await call(fetch, site.product.address, revokeKiosk, {
        credential: { apiKey: site.product.apiKey },
        query: { kioskId: kiosk.kioskId },
      })
      await device.context().setOffline(false)
      await expect(heading('This kiosk is switched off')).toBeVisible({ timeout: 30_000 })
      expect((await dumpStored(device.page())).captures).toBe(1)
      expect((await listedKiosk(site, kiosk.kioskId)).receivedCount).toBe(2)
    },
  )

  test(
    'shows in a second window that it is open elsewhere, and continues there when the first is closed',
    long,
    async ({ site }) => {
      const second = await device.context().newPage()
      await second.goto(`${site.product.address}/kiosk`)
      await expect(second.getByRole('heading', { name: 'Already open in another window' })).toBeVisible()
      await device.page().close()
      await expect(second.getByRole('heading', { name: 'This kiosk is switched off' })).toBeVisible()
    },
  )
})
