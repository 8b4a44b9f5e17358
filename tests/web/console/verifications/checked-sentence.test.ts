import { expect, test } from 'vitest'
import { checkedSentence } from '#web/console/verifications/checked-sentence.ts'
import { en } from '#web/console/wording/en.ts'

const said = (verifierConfigs: object) => checkedSentence({ verifierConfigs } as never, en as never)
const living = { type: 'Verification' }

test.each([
  [{}, 'Nothing is checked: anyone who agrees and shows a face passes.'],
  [{ liveness: living }, 'The person must be physically present and do one action.'],
  [
    {
      liveness: { ...living, challengeType: 'Advanced', leastAssurance: 'high' },
      gender: { type: 'CalculationOnly' },
    },
    'The person must be physically present and do three actions, must reach the assurance “High” and has their gender estimated.',
  ],
  [
    {
      age: {
        type: 'ThresholdVerification',
        thresholdConfig: { threshold: 18, direction: 'Above', marginInYears: 7 },
      },
    },
    'The person must look at least 25 years old.',
  ],
  [
    {
      age: {
        type: 'ThresholdVerification',
        thresholdConfig: { threshold: 18, direction: 'Below', marginInYears: 2 },
      },
    },
    'The person must look younger than 16.',
  ],
  [
    { age: { type: 'RangeVerification', rangeConfig: { minimum: 12, maximum: 17 } } },
    'The person must look 12 to 17 years old.',
  ],
  [{ age: { type: 'CalculationOnly' } }, 'The person has their age estimated.'],
  [{ faceRecognition: { type: 'DuplicateVerification' } }, 'The person must not be in the collection yet.'],
  [
    { commonSettings: { failOnMultipleFacesDetected: true }, faceRecognition: { type: 'MatchVerification' } },
    'The person must have the face that is kept for their external id and must be alone in the picture.',
  ],
  [
    { liveness: { type: 'Disabled' }, age: { type: 'Disabled' } },
    'Nothing is checked: anyone who agrees and shows a face passes.',
  ],
])('%j', (configs, sentence) => {
  expect(said(configs)).toBe(sentence)
})
