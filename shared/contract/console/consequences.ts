/**
 * What a change may lead to: it weakens a verdict on a living person, moves a result or a person elsewhere, or lets somebody else frame the
 * pages. Whoever does it in the console shows their passkey for it, and the owners are notified. [Note: Step-up by consequence]
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
