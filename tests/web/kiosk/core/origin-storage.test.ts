import { afterEach, describe, expect, test, vi } from 'vitest'
import { askToPersist, readStorage } from '#web/kiosk/core/origin-storage.ts'

afterEach(() => void vi.unstubAllGlobals())

const persisted = async () => true
const unknown = { usedBytes: 0, quotaBytes: Number.MAX_SAFE_INTEGER, isPersisted: false }

describe("the origin's storage, as browsers report it", () => {
  test.each([
    ['WebKitGTK, which has no manager of it', {}, unknown],
    ['Safari 16, which cannot estimate', { storage: { persisted } }, { ...unknown, isPersisted: true }],
    [
      'one that has nothing but an estimate',
      { storage: { estimate: async () => ({ usage: 1, quota: 9 }) } },
      { usedBytes: 1, quotaBytes: 9, isPersisted: false },
    ],
    [
      'one that refuses an estimate',
      {
        storage: {
          estimate: () => Promise.reject(new TypeError('not here')),
          persisted: () => Promise.reject(new TypeError('not here')),
        },
      },
      unknown,
    ],
  ])('%s', async (_, navigator, told) => {
    vi.stubGlobal('navigator', navigator)
    expect(await readStorage()).toEqual(told)
    await askToPersist()
  })
})
