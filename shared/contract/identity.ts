import * as v from 'valibot'
import { codePointsOf, isIdentityText } from '../identity/identity-text.ts'

/** The maximum length of external ids. */
export const externalIdMaximum = 512

/** Rejects strings that cannot be used as identities. */
export const identityRule = v.check<string, string>(
  isIdentityText,
  'Must not contain control characters or lone surrogates.',
)

/** Like `v.maxLength`, but counts code points as JSON Schema does. */
export function mostCodePoints(maximum: number) {
  const rule = v.maxLength<string, number, string>(maximum, `Must have at most ${maximum} characters.`)
  return {
    ...rule,
    '~run'(dataset: v.OutputDataset<string, v.BaseIssue<unknown>>, config: v.Config<v.BaseIssue<unknown>>) {
      const isTooLong =
        dataset.typed && (dataset.value.length > 2 * maximum || codePointsOf(dataset.value) > maximum)
      if (isTooLong) v._addIssue(rule, 'length', dataset, config)
      return dataset
    },
  } as typeof rule
}

/** The caller's id for a person, in its canonical form. */
export function externalId(meaning: string) {
  return v.pipe(
    v.string(),
    v.minLength(1, 'Must not be empty.'),
    identityRule,
    v.normalize('NFC'),
    mostCodePoints(externalIdMaximum),
    v.description(meaning),
  )
}

/**
 * The caller's id for a person to look up, exactly as sent, because older releases may have stored it without canonicalising it.
 * [Note: Look-ups take what was stored] Rejects ids that no release ever stored.
 */
export function externalIdToFind(meaning: string) {
  return v.pipe(
    v.string(),
    v.minLength(1, 'Must not be empty.'),
    identityRule,
    mostCodePoints(externalIdMaximum),
    v.description(meaning),
  )
}

/** The display name of a key, kiosk, verification or account. */
export function nameOf(maximum: number, meaning: string) {
  return v.pipe(
    v.string(),
    v.minLength(1, 'Must not be empty.'),
    v.maxLength(maximum, `Must have at most ${maximum} characters.`),
    identityRule,
    v.description(meaning),
  )
}
