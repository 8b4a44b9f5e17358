import { expect, test } from 'vitest'
import { createCameraChoice } from '#web/kiosk/core/camera-choice.ts'

function shelf(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage
}

const found = [
  { kind: 'audioinput', deviceId: 'a', label: 'Microphone' },
  { kind: 'videoinput', deviceId: 'b', label: 'Front' },
  { kind: 'videoinput', deviceId: 'c', label: '' },
  { kind: 'videoinput', deviceId: '', label: '' },
]
const devices = { enumerateDevices: async () => found } as unknown as MediaDevices

test('the browser chooses until staff do, and again when they reset it', () => {
  const kept = shelf()
  const cameras = createCameraChoice(kept, devices)
  expect(cameras.chosen()).toBeNull()
  cameras.choose('b')
  expect(createCameraChoice(kept, devices).chosen()).toBe('b')
  cameras.choose(null)
  expect(cameras.chosen()).toBeNull()
})

test('only cameras are offered, and none that the browser does not name yet', async () => {
  expect(await createCameraChoice(shelf(), devices).list()).toEqual([
    { deviceId: 'b', label: 'Front' },
    { deviceId: 'c', label: '' },
  ])
})
