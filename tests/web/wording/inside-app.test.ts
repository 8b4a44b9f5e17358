import { describe, expect, test } from 'vitest'
import { wordingInside } from '#web/wording/inside-app.ts'
import { knownLanguages, loadWording } from '#web/wording/languages.ts'

describe.each([...knownLanguages()])('%s', (language) => {
  test('names the app and the way out of it, without an empty placeholder', async () => {
    const { cameraTitle, cameraText } = wordingInside('WeChat', await loadWording(language))
    expect(cameraTitle.unsupportedApp).toContain('WeChat')
    expect(cameraText.unsupportedApp).toContain('WeChat')
    expect(cameraText.unsupportedApp).toContain('⋯')
    expect(cameraTitle.unsupportedApp + cameraText.unsupportedApp).not.toContain('{')
  })

  test('has a generic text if the app is unknown', async () => {
    const wording = await loadWording(language)
    expect(wordingInside(undefined, wording)).toBe(wording)
  })
})
