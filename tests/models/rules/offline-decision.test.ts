import { describe, expect, test } from 'vitest'
import type { Analysis, FaceAnalysis } from '#models/rules/analysis.ts'
import { decideOffline, type OfflineEvidence, type OfflineRules } from '#models/rules/offline-decision.ts'
import { analysisOf, emptyAnalysis } from '../../web/support/analysis.ts'

const rules: OfflineRules = { liveness: true, failOnMultipleFaces: true, age: null, needsServer: false }
const adults = { type: 'ThresholdVerification', threshold: 18, direction: 'Above', marginInYears: 2 } as const

function seen(look: Parameters<typeof analysisOf>[0] = {}, found: Partial<FaceAnalysis> = {}): Analysis {
  const analysis = analysisOf(look)
  const live = { raw: 0.999, blurred: 0.999 }
  return { ...analysis, face: { ...analysis.face!, live, ...found } }
}

function answerTo(pictures: readonly Analysis[], change: Partial<OfflineRules> = {}, isChallengeMet = true) {
  const evidence: OfflineEvidence = { rules: { ...rules, ...change }, pictures, isChallengeMet }
  return decideOffline(evidence)
}

const three = (picture: Analysis) => [picture, picture, picture]
const aged = (prediction: number, uncertainty = 0.5) => ({ age: { prediction, uncertainty, spread: 1 } })

describe('the decision on the spot', () => {
  test('passes a live person who performed the actions', () => {
    expect(answerTo(three(seen()))).toMatchObject({ result: 'Pass', failedReasons: [] })
  })

  test('is pending if only the server can decide', () => {
    expect(answerTo(three(seen()), { needsServer: true }).result).toBe('Pending')
  })

  test('fails rather than being pending if the device knows of a failure', () => {
    expect(answerTo(three(seen()), { needsServer: true }, false).result).toBe('Fail')
  })

  test.each<[string, Analysis[], Partial<OfflineRules>, boolean, string]>([
    ['nobody is there', three(emptyAnalysis()), {}, true, 'noFace'],
    ['no picture is fit to be judged', three(seen({ sharpness: 1 })), {}, true, 'lowQuality'],
    ['two people are there', three(seen({ second: 0.6 })), {}, true, 'multipleFaces'],
    [
      'it looks like a picture',
      three(seen({}, { live: { raw: 0.01, blurred: 0.01 } })),
      {},
      true,
      'livenessFailed',
    ],
    ['something else was done', three(seen()), {}, false, 'challengeFailed'],
    ['the age is too low', three(seen({}, aged(19.9))), { age: adults }, true, 'ageNotMet'],
    ['the age is uncertain', three(seen({}, aged(40, 1.01))), { age: adults }, true, 'ageUncertain'],
    ['no age could be told', three(seen()), { age: adults }, true, 'ageUncertain'],
  ])('fails if %s', (_, pictures, change, isChallengeMet, reason) => {
    const answer = answerTo(pictures, change, isChallengeMet)
    expect(answer.result).toBe('Fail')
    expect(answer.failedReasons).toContain(reason)
  })

  test('accepts a second face if that is allowed, in a single picture, or if it is small', () => {
    expect(answerTo(three(seen({ second: 0.6 })), { failOnMultipleFaces: false }).result).toBe('Pass')
    expect(answerTo([seen({ second: 0.6 }), seen(), seen()]).result).toBe('Pass')
    expect(answerTo(three(seen({ second: 0.39 }))).result).toBe('Pass')
  })

  test('uses the age of the middle picture, with the margin', () => {
    const pictures = [seen({}, aged(20)), seen({}, aged(60)), seen({}, aged(20))]
    expect(answerTo(pictures, { age: adults })).toMatchObject({ result: 'Pass', estimatedAge: 20 })
  })

  test('ignores liveness if it is not checked', () => {
    const flat = three(seen({}, { live: { raw: 0.01, blurred: 0.01 } }))
    expect(answerTo(flat, { liveness: false }).result).toBe('Pass')
  })

  test('names the strongest expression over all pictures', () => {
    const of = (happy: number) => ({
      expressions: { neutral: 1 - happy, happy, sad: 0, angry: 0, fearful: 0, disgusted: 0, surprised: 0 },
    })
    expect(answerTo([seen({}, of(0.9)), seen({}, of(0.4)), seen({}, of(0.4))]).expression).toBe('happy')
  })
})
