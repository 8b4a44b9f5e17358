import { describe, expect, test } from 'vitest'
import { type DeviceFacts, findingsOf } from '#shared/browsers/device-report.ts'

const facts: DeviceFacts = {
  version: 1,
  browser: 'Browser/1',
  insideApp: null,
  screen: { width: 390, height: 844, pixelRatio: 3 },
  processors: 6,
  memoryGigabytes: null,
  needs: { simd: true, moduleWorker: true, worker: true, imageBitmap: true, mediaDevices: true },
  comforts: { serviceWorker: true, passkeys: true, wakeLock: true, storageEstimate: false },
  camera: {
    problem: null,
    cameras: 2,
    width: 1280,
    height: 720,
    facing: 'user',
    promisedRate: 30,
    measuredRate: 24,
  },
  speed: {
    ...{ picture: 'camera', firstAnalysis: 1234, medianPerPicture: 26, pictures: 31, picturesWithFace: 31 },
    stages: { picture: 26, transfer: 1.2 },
    quickest: { picture: 21, transfer: 0.7 },
  },
  storage: { quotaMegabytes: 512, persisted: false },
  passkeyOnDevice: true,
  wakeLock: 'refused',
}

const foundOf = (more: Partial<DeviceFacts>) => new Map(findingsOf({ ...facts, ...more }))

describe('the capabilities of a device, in words', () => {
  test('of a phone', () => {
    expect(findingsOf(facts)).toEqual([
      ['Can do the check', 'yes'],
      ['Camera', '1280 × 720, 24 pictures a second'],
      ['Speed', 'first answer after 1.2 s, then 26 ms a picture (of the camera)'],
      ['Memory', 'not told'],
      ['Storage', 'room for 512 MB, may be cleared'],
      ['Passkeys of this device', 'yes'],
      ['Keeps the screen lit', 'refused'],
    ])
  })

  test('of an outdated browser', () => {
    const found = foundOf({ needs: { ...facts.needs, simd: false }, speed: null, camera: null })
    expect(found.get('Can do the check')).toBe('no, it lacks simd')
    expect(found.get('Speed')).toBe('not measured')
    expect(found.get('Camera')).toBe('not asked')
  })

  test('of a refused camera', () => {
    const nothing = { width: null, height: null, facing: null, promisedRate: null, measuredRate: null }
    const found = foundOf({ camera: { problem: 'blocked', cameras: 1, ...nothing } })
    expect(found.get('Camera')).toBe('no picture (blocked)')
  })

  test('of storage without figures', () => {
    expect(foundOf({ storage: { quotaMegabytes: null, persisted: null } }).get('Storage')).toBe(
      'room unknown',
    )
  })
})
