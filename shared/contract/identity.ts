import * as v from 'valibot'
import { codePointsOf, isIdentityText } from '../identity/identity-text.ts'

/** Of ids that callers give people. */
export const externalIdMaximum = 512

/** Refuses what can name nobody and nothing. */
export const identityRule = v.check<string, string>(
  isIdentityText,
  'Must have no control character and no half of a character.',
)

/** As `v.maxLength`, in characters, whatever each takes in memory: as JSON Schema counts them. */
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

/** The caller's key of a person, in its canonical form. */
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
 * The caller's key of a person to look up: in the form that was sent, which may have been stored before forms were made one. [Note: Look-ups take what
 * was stored] Whatever no release ever stored is refused.
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

/** A name for people: of a key, a kiosk, a verification, an account. */
export function nameOf(maximum: number, meaning: string) {
  return v.pipe(
    v.string(),
    v.minLength(1, 'Must not be empty.'),
    v.maxLength(maximum, `Must have at most ${maximum} characters.`),
    identityRule,
    v.description(meaning),
  )
}
