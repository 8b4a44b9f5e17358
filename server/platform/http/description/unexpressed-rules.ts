import { addressRule, keptPurposeRule } from '#shared/contract/configuration/verification-config.ts'

/**
 * [Note: Every rule is described] JSON Schema cannot express rules between members. Each such rule is listed here by its
 * message, with the sentence that describes it in the document. Generating the document fails if a rule is not listed.
 */
const sentences: Readonly<Record<string, string>> = {
  'Cannot be combined with expirationEnabled false.':
    '`expirationInSeconds` cannot be combined with `expirationEnabled` false.',
  'Requires expiration to be enabled.': '`enableNonce` requires expiration to be enabled.',
  'Must not be below the minimum.': '`maximum` must not be below `minimum`.',
  'Must give threshold and direction for a ThresholdVerification.':
    'A ThresholdVerification needs `thresholdConfig` with `threshold` and `direction`.',
  'Must give minimum and maximum for a RangeVerification.':
    'A RangeVerification needs `rangeConfig` with `minimum` and `maximum`.',
  'Is required if emotion has the type CalculationOnly.': '`purpose` is required when expressions are read.',
  'Must be absent unless liveness has the type Verification.':
    '`leastAssurance` requires the `type` Verification.',
  'Must be required if leastAssurance is higher than low.':
    '`evidence` cannot be `optional` with a `leastAssurance` of more than `low`.',
  'Requires a type of faceRecognition other than Disabled.':
    '`denyCollectionIds` requires a `type` other than Disabled.',
  'Must have at most 65536 characters of JSON.': 'At most 65536 characters of JSON.',
  'Is required unless verifierConfigs are given.':
    'One of `verificationId` and `verifierConfigs` is required.',
  'Must have url or bytes.': 'One of `url` and `bytes` is required.',
  'Must have either url or bytes, not both.': 'Only one of them may be given.',
  'Must have either result or tries.': 'One of `result` and `tries` is required, not both.',
  'Must have no other members next to tries.': '`tries` stands alone.',
  'sequence and hash belong together.': '`sequence` and `hash` belong together.',
  'Must not be all zero.': 'Not all of them may be zero.',
  'Must be an existing date and time.': 'A date and time that exist.',
  'Must be a time in ISO 8601, such as 2027-01-31 or 2027-01-31T12:00:00Z.':
    'A time in ISO 8601, such as 2027-01-31 or 2027-01-31T12:00:00Z.',
  'Must be later than from.': '`to` is later than `from`.',
  'Must be at most 400 days after from.': '`to` is at most 400 days after `from`.',
  'Must name analyse or configure.': 'No other name is accepted.',
  'Must name analyse, configure or people.': 'No other name is accepted.',
  'Must not name a collection twice.': 'Each collection once.',
  'Must not have a fragment.': 'Without a fragment.',
  'Must not name an address twice.': 'Each address once.',
  'Must not name an age twice.': 'Each age once.',
  'Must not contain control characters or lone surrogates.': 'No control characters.',
}

/** Rules that compose their own messages. */
const wordy: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [
    addressRule,
    'At most 2048 characters, without user information, and without query parameters whose name is `re` and an upper-case letter.',
  ],
  [keptPurposeRule, '`evidenceConfig.keep` is only `all` where `privacyConfig.purpose` is given.'],
])

/** The parts of a valibot action that identify a rule. */
interface Rule {
  readonly type: string
  readonly message?: unknown
}

/** The sentence for a rule that a schema cannot express. @throws if it has no sentence yet */
export function sentenceOf(rule: Rule): string {
  const sentence = wordy.get(rule) ?? (typeof rule.message === 'string' ? sentences[rule.message] : undefined)
  if (sentence === undefined)
    throw new Error(`The rule "${String(rule.message)}" has no sentence in unexpressed-rules.ts.`)
  return sentence
}
