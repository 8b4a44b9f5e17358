/**
 * Risky effects of a change: it weakens a verdict about living people, moves results or people elsewhere, or lets others frame the
 * pages. In the console it requires the passkey again, and the owners are notified. [Note: Step-up by consequence]
 */
export const consequences = [
  'livenessOff',
  'challengeEasier',
  'assuranceLower',
  'rulesObserved',
  'ageCheckWeaker',
  'faceCheckWeaker',
  'severalFacesPass',
  'verifiersSkipped',
  'moreTries',
  'attemptsLoosened',
  'unsignedLinks',
  'resultUnsigned',
  'overridesAllowed',
  'returnAddress',
  'personElsewhere',
  'resultElsewhere',
  'keySent',
  'keyMade',
  'tokensWidened',
  'framedElsewhere',
  'kioskMade',
  'linkForPerson',
  'verificationDeleted',
] as const
export type Consequence = (typeof consequences)[number]
