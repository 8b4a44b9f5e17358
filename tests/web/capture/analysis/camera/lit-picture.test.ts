import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilLit } from '#web/capture/analysis/camera/lit-picture.ts'

const video = {} as HTMLVideoElement
let level: number
let isReadable: boolean

beforeEach(() => {
  vi.useFakeTimers()
  level = 0
  isReadable = true
  const context = {
    drawImage: () => {},
    getImageData() {
      if (!isReadable) throw new DOMException('refused', 'SecurityError')
      return { data: new Uint8ClampedArray(16 * 16 * 4).fill(level) }
    },
  }
  vi.stubGlobal('document', { createElement: () => ({ getContext: () => context }) })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a camera that is black at first is waited for', async () => {
  const lit = vi.fn()
  void untilLit(video, () => false).then(lit)
  await vi.advanceTimersByTimeAsync(8000)
  expect(lit).not.toHaveBeenCalled()
  level = 40
  await vi.advanceTimersByTimeAsync(100)
  expect(lit).toHaveBeenCalledWith(true)
})

test('nobody waits once another camera is asked for', async () => {
  let isOver = false
  const lit = untilLit(video, () => isOver)
  isOver = true
  await vi.advanceTimersByTimeAsync(100)
  expect(await lit).toBe(false)
})

test('a picture that cannot be read is not waited for', async () => {
  isReadable = false
  expect(await untilLit(video, () => false)).toBe(true)
})
