import { describe, expect, test } from 'vitest'
import { type DeviceFacts, findingsOf } from '#shared/browsers/device-report.ts'
import { pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import { deviceLanguages, loadDeviceWording } from '#web/device/wording/device-languages.ts'
import { phrases, type Tree, unfitWords } from '../../support/phrases.ts'

const facts: DeviceFacts = {
  version: 1,
  browser: 'Browser/1',
  insideApp: null,
  screen: { width: 390, height: 844, pixelRatio: 3 },
  processors: 6,
  memoryGigabytes: 8,
  needs: { simd: false, moduleWorker: true, worker: true, imageBitmap: true, mediaDevices: true },
  comforts: { serviceWorker: true, passkeys: true, wakeLock: true, storageEstimate: false },
  camera: {
    problem: null,
    cameras: 1,
    width: 1280,
    height: 720,
    facing: null,
    promisedRate: 30,
    measuredRate: 24,
  },
  speed: {
    ...{ picture: 'drawn', firstAnalysis: 1234, medianPerPicture: 26, pictures: 31, picturesWithFace: 31 },
    stages: {},
    quickest: {},
  },
  storage: { quotaMegabytes: 5120, persisted: true },
  passkeyOnDevice: null,
  wakeLock: 'none',
}

test('are those of the pages', () => {
  expect([...deviceLanguages].sort()).toEqual([...pageLanguages].sort())
})

test.each([
  [['ar-EG', 'en'], 'ar'],
  [['tlh', 'zh-TW'], 'zh'],
  [[], 'en'],
])('%j is answered in %s', async (wanted, language) => {
  expect((await loadDeviceWording(wanted)).locale).toBe(language)
})

const english = await loadDeviceWording(['en'])
const others = await Promise.all(
  deviceLanguages
    .filter((one) => one !== 'en')
    .map(async (one) => [one, await loadDeviceWording([one])] as const),
)

describe.each(others)('%s', (language, wording) => {
  const wordsOf = ({ title, text, button, findings: { question, answer } }: typeof wording) =>
    phrases({ title, text, button, question, answer } as unknown as Tree)

  test('is itself', () => {
    expect(wording.locale).toBe(language)
    expect(wording.findings.locale).toBe(language)
    expect(wording.direction).toBe(language === 'ar' ? 'rtl' : 'ltr')
  })

  test('contains every phrase, without blame', () => {
    expect(wordsOf(wording).map(([key]) => key)).toEqual(wordsOf(english).map(([key]) => key))
    expect(wordsOf(wording).filter(([, text]) => text.trim() === '' || unfitWords.test(text))).toEqual([])
  })

  test('has translated sentences', () => {
    for (const [key, text] of phrases(wording.text as unknown as Tree))
      expect(text).not.toBe(new Map(phrases(english.text as unknown as Tree)).get(key))
  })

  test('has a placeholder for each measured value', () => {
    const found = findingsOf(facts, wording.findings)
    expect(found).toHaveLength(findingsOf(facts).length)
    const [check, camera, speed, memory, storage] = found.map(([, text]) => text)
    expect(check).toContain('simd')
    for (const one of ['1280', '720', '24']) expect(camera).toContain(one)
    for (const one of [/1[.,]2/, /26/]) expect(speed).toMatch(one)
    expect(memory).toContain('8')
    expect(storage).toContain('5120')
  })
})
