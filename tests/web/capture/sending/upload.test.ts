import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { uploadingFetch } from '#web/capture/sending/upload.ts'

/** A request that is never answered. */
class Request {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void; onload?: () => void } = {}
  onabort = () => {}
  onloadend = () => {}
  open() {}
  setRequestHeader() {}
  send() {
    current = this
  }
  abort() {
    this.onabort()
    this.onloadend()
  }
}
let current: Request

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', Request)
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function start() {
  const lost = vi.fn()
  uploadingFetch(() => {})('/x', { method: 'POST', headers: {}, body: 'pictures' }).catch(lost)
  return lost
}

test('an upload that a network swallows is lost after 20 seconds', async () => {
  const lost = start()
  await vi.advanceTimersByTimeAsync(19_999)
  expect(lost).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(lost).toHaveBeenCalled()
})

test('an upload that progresses may take minutes, and its answer one more', async () => {
  const lost = start()
  for (let loaded = 1; loaded <= 10; loaded++) {
    await vi.advanceTimersByTimeAsync(19_000)
    current.upload.onprogress!({ loaded, total: 10 })
  }
  current.upload.onload!()
  await vi.advanceTimersByTimeAsync(59_999)
  expect(lost).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(lost).toHaveBeenCalled()
})
