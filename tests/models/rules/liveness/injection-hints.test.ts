import { describe, expect, test } from 'vitest'
import { type Hint, hintNames, hintsOf, isInjectionHinted } from '#models/rules/liveness/injection-hints.ts'

/** What the page reports of a camera that is one. */
const honest = {
  label: 'Integrated Camera (04f2:b6d9)',
  isListed: true as boolean | null,
  frames: { count: 300, meanInMilliseconds: 33.3, deviationInMilliseconds: 1.2 },
  repeats: { compared: 200, same: 3 },
}
const hints = (changed: Partial<typeof honest>) => hintsOf({ analyses: 3, camera: { ...honest, ...changed } })

describe('hints of a report', () => {
  test('are none for a camera, for no camera, for no report and for anything else', () => {
    for (const report of [{ camera: honest }, { camera: null }, {}, null, undefined, 'camera', { camera: 7 }])
      expect(hintsOf(report)).toEqual([])
    expect(hints({ label: 7 as never })).toEqual([])
  })

  test.each([
    ['OBS Virtual Camera', true],
    ['OBS-Camera', true],
    ['fake_device_0', true],
    ['ManyCam Webcam', true],
    ['v4l2loopback', true],
    ['Dummy video device (0x0000)', true],
    ['FaceTime HD Camera', false],
    ['Jobsite webcam', false],
    ['Virtualis Optics 4K', false],
    ['Robsen USB', false],
    ['DroidCam Source 3', false],
    ['camera2 1, facing front', false],
    ['', false],
  ])('for the name %s: %s', (label, isVirtual) => {
    expect(hints({ label })).toEqual(isVirtual ? ['virtualCamera'] : [])
  })

  test.each([
    [true, []],
    [null, []],
    [false, ['unlistedCamera']],
  ])('for a device that is listed: %s', (isListed, found) => {
    expect(hints({ isListed })).toEqual(found)
  })

  test.each([
    [60, 0.049, true],
    [59, 0.049, false],
    [60, 0.05, false],
  ])('for %i intervals that vary by %d ms: %s', (count, deviationInMilliseconds, isEven) => {
    const frames = { ...honest.frames, count, deviationInMilliseconds }
    expect(hints({ frames })).toEqual(isEven ? ['evenFrames'] : [])
  })

  test.each([
    [20, 12, true],
    [20, 11, false],
    [19, 19, false],
  ])('for %i pairs of which %i are the same: %s', (compared, same, isConstant) => {
    expect(hints({ repeats: { compared, same } })).toEqual(isConstant ? ['constantFrames'] : [])
  })
})

describe('what keeps a session from high', () => {
  test('is every hint but the one that was not measured', () => {
    const lowering = hintNames.filter((hint) => isInjectionHinted([hint]))
    expect(lowering).toEqual(['virtualCamera', 'unlistedCamera', 'constantFrames'] satisfies Hint[])
    expect(isInjectionHinted([])).toBe(false)
    expect(isInjectionHinted(['evenFrames', 'constantFrames'])).toBe(true)
  })
})
