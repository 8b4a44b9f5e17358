import { expect, test } from 'vitest'
import type { KioskStore } from '#web/kiosk/core/kiosk-store.ts'
import { createReserve, type ReservePart } from '#web/kiosk/delivery/reserve.ts'

const mebibyte = 1024 * 1024

/** A disk of this size that accounts for space like Chromium: what one transaction deletes is available to the next one. */
function diskOf(bytes: number) {
  const held = new Map<string, number>()
  const left = () => bytes - [...held.values()].reduce((sum, size) => sum + size, 0)
  const put = async (value: unknown, key: string) => {
    // As in WebKit's private windows, where stores cannot keep files.
    if (!(value instanceof Uint8Array))
      throw new DOMException('Error preparing Blob/File data', 'UnknownError')
    if (value.length > left()) throw new DOMException('no room', 'QuotaExceededError')
    held.set(key, value.length)
  }
  const notes = { put, delete: async (key: string) => void held.delete(key) }
  const store = {
    read: { getKey: async (_: string, key: string) => (held.has(key) ? key : undefined) },
    write: async (_: unknown, work: (transaction: unknown) => Promise<unknown>) =>
      work({ objectStore: () => notes }),
  } as unknown as KioskStore
  return {
    reserve: createReserve(store),
    held,
    keep: (key: string, size: number) => put(new Uint8Array(size), key),
  }
}

test.each([
  [32 * mebibyte, true],
  [32 * mebibyte - 1, false],
])('reserves space for the largest capture: %i bytes are enough: %s', async (bytes, isHeld) => {
  expect(await diskOf(bytes).reserve.hold()).toBe(isHeld)
})

test('reserves space for notes as well, but never before that for a capture', async () => {
  const { reserve, held } = diskOf(33 * mebibyte)
  await reserve.hold()
  expect([...held.keys()]).toEqual(['roomForCapture', 'roomForNotes'] satisfies ReservePart[])
  const short = diskOf(32 * mebibyte - 1)
  await short.reserve.hold()
  expect(short.held.size).toBe(0)
})

test('a write with enough space does not touch the reserve', async () => {
  const { reserve, held, keep } = diskOf(40 * mebibyte)
  await reserve.hold()
  await reserve.within('roomForCapture', () => keep('capture', mebibyte))
  expect([...held.keys()]).toEqual(['roomForCapture', 'roomForNotes', 'capture'])
})

test('a write without space gets its reserve, and no other', async () => {
  const { reserve, held, keep } = diskOf(33 * mebibyte)
  await reserve.hold()
  await reserve.within('roomForCapture', () => keep('capture', 5 * mebibyte))
  expect([...held.keys()]).toEqual(['roomForNotes', 'capture'])
  expect(await reserve.hold()).toBe(false)
  held.delete('capture')
  expect(await reserve.hold()).toBe(true)
})

test('other failures release nothing, and a write without any space reports it', async () => {
  const { reserve, held, keep } = diskOf(33 * mebibyte)
  await reserve.hold()
  const broken = async () => Promise.reject(new DOMException('taken', 'ConstraintError'))
  await expect(reserve.within('roomForCapture', broken)).rejects.toThrow('taken')
  expect(held.size).toBe(2)
  await expect(reserve.within('roomForNotes', () => keep('large', 2 * mebibyte))).rejects.toThrow('no room')
})

test('a released reserve is not taken again before the second try is over', async () => {
  const { reserve, keep } = diskOf(33 * mebibyte)
  await reserve.hold()
  const holds: Promise<boolean>[] = []
  const keepLate = async () => {
    if (holds.push(reserve.hold()) === 2) await new Promise((resolve) => setTimeout(resolve))
    return keep('capture', 20 * mebibyte)
  }
  await reserve.within('roomForCapture', keepLate)
  expect(await holds[1]).toBe(false)
})
