import { expect, test } from 'vitest'
import type { KioskStore, Notes } from '#web/kiosk/core/kiosk-store.ts'
import { createStaffPin } from '#web/kiosk/staff/staff-pin.ts'

/** A store that keeps a PIN for as long as it has room. */
function storeWithRoom() {
  let kept: Notes['pin'] | undefined
  let hasRoom = true
  const notes = {
    put: async (pin: Notes['pin']) => {
      if (!hasRoom) throw new DOMException('no room', 'QuotaExceededError')
      kept = pin
    },
  }
  const store = {
    note: async () => kept,
    write: async (_: unknown, work: (transaction: unknown) => Promise<unknown>) =>
      work({ objectStore: () => notes }),
  } as unknown as KioskStore
  return {
    store,
    fill: () => {
      hasRoom = false
    },
  }
}
const noReserve = { within: <T>(_: unknown, write: () => Promise<T>) => write() }

test('a wrong PIN makes the next ones wait longer, also across a reload', async () => {
  const { store } = storeWithRoom()
  let now = 0
  const pinOf = () => createStaffPin(store, noReserve, () => now)
  await pinOf().set('2468')
  const waits: number[] = []
  for (let wrong = 0; wrong < 5; wrong++) {
    const check = await pinOf().check('1357')
    waits.push(check.isRight ? -1 : check.waitSeconds)
    now += 1000 * Math.max(0, waits.at(-1)!)
  }
  expect(waits).toEqual([0, 0, 5, 10, 20])
  expect(await pinOf().check('2468')).toEqual({ isRight: true })
  expect(await pinOf().check('1357')).toEqual({ isRight: false, waitSeconds: 0 })
})

test('a wrong PIN counts even if nothing can be written', async () => {
  const { store, fill } = storeWithRoom()
  const pin = createStaffPin(store, noReserve, () => 0)
  await pin.set('2468')
  fill()
  for (let wrong = 0; wrong < 3; wrong++) await pin.check('1357')
  expect(await pin.check('2468')).toEqual({ isRight: false, waitSeconds: 5 })
})
