import type { AnswerWording } from './answer-wording.ts'

export const en: AnswerWording = {
  locale: 'en',
  direction: 'ltr',
  title: 'What came back',
  verdict: { passed: 'Passed', failed: 'Not passed', untrusted: 'Not to be trusted' },
  why: {
    passed: 'Everything that was asked for was met.',
    failed: 'No reason was named.',
    untrusted: 'This answer may have been changed on its way, so nothing is said of the check.',
  },
  reasons: {
    noFace: 'No face was found in the pictures.',
    multipleFaces: 'More than one face was in view.',
    livenessFailed: 'The pictures did not look like a living person, or had been sent before.',
    challengeFailed: 'What was asked was not done in time, or something else was done.',
    personChanged: 'Not the same person throughout.',
    lowQuality: 'The pictures were too dark, too blurred or too small.',
    ageNotMet: 'The estimated age does not meet the rule.',
    ageUncertain: 'The age could not be estimated surely enough.',
    duplicateFace: 'This face had been seen before.',
    faceMismatch: 'The face is not the one that belongs to the external id.',
    externalIdMissing: 'The link named no external id, which this check needs.',
    externalIdUnknown: 'The external id is not known yet.',
    consentDeclined: 'The visitor did not agree, or left.',
    cameraUnavailable: 'There was no camera that could be used.',
    sessionExpired: 'The quarter of an hour was over.',
    assuranceTooLow: 'It was not sure enough that a live person was there.',
    evidenceMissing: 'Pictures were missing that this page always sends.',
    alternativeChosen: 'The visitor took the other way that the configuration names.',
  },
  signature: {
    Valid: 'The signature holds: this result comes from this server and nobody has changed it.',
    Invalid: 'The signature does not hold: do not believe this result.',
    Expired: 'The signature held, but its time is over.',
    NonceAlreadyUsed: 'The signature held, but it was used already.',
  },
  again: 'Try again',
  details: 'Everything that came back, name by name',
  tag: 'demo on this machine',
  footer:
    'Pictures go to this server only, and are not stored. A result is kept for 7 days. Where a face is to be known again, a numeric code of it stays in this server’s store.',
}
