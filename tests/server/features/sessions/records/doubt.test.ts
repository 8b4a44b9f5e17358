import { describe, expect, test } from 'vitest'
import { doubtOf, reviewStateOf } from '#server/features/sessions/records/doubt.ts'

type Given = Parameters<typeof doubtOf>[0]
const failed = (reasons: string[], more: Partial<Given> = {}) =>
  ({ state: 'Completed', result: 'Fail', reasons, findings: [], tries: 1, review: null, ...more }) as Given
const passed = (more: Partial<Given> = {}) => failed([], { result: 'Pass', ...more })
const found = { findings: [{ kind: 'similarFace' as const, verificationSessionId: 's' }] }
const review = { decision: 'Pass', note: null, reviewedAt: '', by: '' } as const

describe('the uncertainty of a verdict is', () => {
  test.each([
    ['an open session', passed({ state: 'Started', result: null, reasons: null }), 0],
    ['one that passed', passed(), 10],
    ['one that passed and resembles another', passed(found), 110],
    ['one that failed for certain', failed(['livenessFailed']), 110],
    ['one of two reasons near its limit', failed(['livenessFailed', 'ageUncertain']), 160],
    ['each reason near its limit', failed(['ageUncertain', 'lowQuality']), 210],
    ['that, with a resemblance, after ten tries', failed(['ageUncertain'], { ...found, tries: 10 }), 330],
  ])('%s', (_, given, doubt) => {
    expect(doubtOf(given)).toBe(doubt)
  })
})

describe('a session', () => {
  const cases: [string, Given, string | null][] = [
    ['is wanted where it failed', failed(['noFace']), 'wanted'],
    ['is wanted where it must not pass', passed({ findings: [{ kind: 'denied' }] }), 'wanted'],
    ['waits where it resembles another', passed(found), 'waiting'],
    ['waits where it passed', passed(), 'waiting'],
    ['was reviewed', failed(['noFace'], { review }), 'reviewed'],
    ['was reviewed though there was nothing to decide', failed(['consentDeclined'], { review }), 'reviewed'],
    ['waits for nobody while it is open', passed({ state: 'Submitted', result: null, reasons: null }), null],
    ['waits for nobody where it expired', failed(['sessionExpired'], { state: 'Expired' }), null],
    ['waits for nobody where it was declined', failed(['consentDeclined']), null],
    ['waits for nobody without a camera', failed(['cameraUnavailable']), null],
    ['waits for nobody where another way was taken', failed(['alternativeChosen']), null],
  ]
  test.each(cases)('%s', (_, given, expected) => {
    expect(reviewStateOf(given)).toBe(expected)
  })
})
