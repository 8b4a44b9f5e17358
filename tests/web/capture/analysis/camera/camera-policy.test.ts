import { describe, expect, test } from 'vitest'
import { type CameraPage, isCameraDelegated } from '#web/capture/analysis/camera/camera-policy.ts'

/** How Firefox 153 and WebKitGTK 2.50 answer: policies cannot be queried, and every refusal has the same name. */
const refusal = { name: 'NotAllowedError' }

function frameThatSees(kinds: readonly string[], document: unknown = {}): CameraPage {
  const devices = kinds.map((kind) => ({ kind })) as MediaDeviceInfo[]
  return { parent: {}, document, navigator: { mediaDevices: { enumerateDevices: async () => devices } } }
}

function top(page: Omit<CameraPage, 'parent'>): CameraPage {
  const self = { ...page, parent: undefined as unknown }
  self.parent = self
  return self
}

describe('whether a page may use the camera at all', () => {
  test.each([
    ['a frame without allow="camera" in Firefox and WebKit sees no camera', [], false],
    ['nor does one that may hear alone', ['audioinput'], false],
    ['a frame whose person said no still sees one', ['videoinput'], true],
  ])('%s', async (_, kinds, isDelegated) => {
    expect(await isCameraDelegated(frameThatSees(kinds), refusal)).toBe(isDelegated)
  })

  test('Chromium is asked for its policy', async () => {
    const asked = (isAllowed: boolean) => ({ featurePolicy: { allowsFeature: () => isAllowed } })
    expect(await isCameraDelegated(frameThatSees(['videoinput'], asked(false)), refusal)).toBe(false)
    expect(await isCameraDelegated(frameThatSees([], asked(true)), refusal)).toBe(true)
  })

  test('an unframed page may, and so may a device without a camera', async () => {
    expect(await isCameraDelegated(top(frameThatSees([])), refusal)).toBe(true)
    expect(await isCameraDelegated(frameThatSees([]), { name: 'NotFoundError' })).toBe(true)
  })

  test('if devices are not listed, the parent page is not blamed', async () => {
    const silent = { enumerateDevices: () => Promise.reject(new DOMException('', 'NotAllowedError')) }
    const page = { parent: {}, document: {}, navigator: { mediaDevices: silent } }
    expect(await isCameraDelegated(page, refusal)).toBe(true)
    expect(await isCameraDelegated({ parent: {}, document: {}, navigator: {} }, refusal)).toBe(true)
  })
})
