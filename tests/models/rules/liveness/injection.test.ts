import { describe, expect, test } from 'vitest'
import { injectionHintsOf } from '#models/rules/liveness/injection.ts'

describe('injectionHintsOf', () => {
  test.each([
    'OBS Virtual Camera',
    'obs-camera',
    'ManyCam Virtual Webcam',
    'Dummy video device (0x0000)',
    'v4l2loopback',
    'Snap Camera',
    'fake_device_0',
    'NVIDIA Broadcast',
  ])('the camera %s looks like a program', (camera) => {
    expect(injectionHintsOf({ camera })).toEqual(['virtualCamera'])
  })

  test.each([
    'FaceTime HD Camera (Built-in)',
    'Integrated Webcam (0bda:5538)',
    'camera2 1, facing front',
    'HD Pro Webcam C920',
    'Jobs Camera',
    'Front Camera',
    '',
  ])('the camera %s does not', (camera) => {
    expect(injectionHintsOf({ camera })).toEqual([])
  })

  test.each([
    [10, 9, ['constantPictures']],
    [10, 8, []],
    [9, 9, []],
    [100, 81, ['constantPictures']],
    [100, 80, []],
    [100, 0, []],
  ])('of %d pictures %d that repeat the one before: %j', (analyses, repeats, hints) => {
    expect(injectionHintsOf({ analyses, repeats })).toEqual(hints)
  })

  test('may be both', () => {
    expect(injectionHintsOf({ camera: 'vcam', analyses: 20, repeats: 20 })).toEqual([
      'virtualCamera',
      'constantPictures',
    ])
  })

  test.each([null, {}, { camera: null }, { camera: ['OBS'] }, { analyses: '20', repeats: 20 }])(
    'are not found in %j',
    (report) => {
      expect(injectionHintsOf(report)).toEqual([])
    },
  )
})
