import { describe, expect, test, vi } from 'vitest'
import { figuresOf, readReport } from '#lab/bench/device.ts'

const report = {
  version: 1,
  browser: 'Browser/1',
  insideApp: null,
  screen: { width: 390, height: 844, pixelRatio: 3 },
  processors: 6,
  memoryGigabytes: null,
  needs: {},
  comforts: {},
  camera: {
    problem: null,
    cameras: 1,
    width: 1280,
    height: 720,
    facing: 'user',
    promisedRate: 30,
    measuredRate: 24,
  },
  speed: {
    ...{ picture: 'camera', firstAnalysis: 1234, medianPerPicture: 26, pictures: 31, picturesWithFace: 31 },
    stages: { picture: 26.2, transfer: 1.2 },
    quickest: { picture: 20.1, transfer: 0.6 },
  },
  storage: { quotaMegabytes: 512, persisted: false },
  passkeyOnDevice: true,
  wakeLock: 'given',
}

describe('a report of /check-device', () => {
  test('gives every number that it has, and none that it lacks', () => {
    expect(figuresOf(readReport(JSON.stringify(report)))).toEqual({
      'device.processors': 6,
      'device.storageMegabytes': 512,
      'device.cameraWidth': 1280,
      'device.cameraHeight': 720,
      'device.camerasPicturesPerSecond': 24,
      'device.msToFirstAnalysis': 1234,
      'device.medianMsPerFrame': 26,
      'device.picture.medianMs': 26.2,
      'device.transfer.medianMs': 1.2,
      'device.picture.leastMs': 20.1,
      'device.transfer.leastMs': 0.6,
    })
  })

  test('may lack a camera or a speed, or predate the stages', () => {
    const { stages: _, quickest: __, ...speed } = report.speed
    const bare = { ...report, camera: null, speed: null }
    expect(Object.keys(figuresOf(readReport(JSON.stringify(bare))))).toEqual([
      'device.processors',
      'device.storageMegabytes',
    ])
    const older = figuresOf(readReport(JSON.stringify({ ...report, speed })))
    expect(older['device.medianMsPerFrame']).toBe(26)
    expect(Object.keys(older).filter((name) => name.endsWith('leastMs'))).toEqual([])
  })

  test.each(['', '[]', 'null', '{"version":2}', '{"version":1,"browser":"x"}'])('is not %j', (text) => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const ended = vi.spyOn(process, 'exit').mockImplementation(() => {
      throw new Error('ended')
    })
    expect(() => readReport(text)).toThrow('ended')
    expect(ended).toHaveBeenCalledWith(2)
    expect(told.mock.calls.join()).toContain('This is no report of /check-device.')
    vi.restoreAllMocks()
  })
})
