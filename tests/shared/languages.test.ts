import { describe, expect, test } from 'vitest'
import { firstKnownLanguage, firstKnownTag } from '#shared/languages.ts'
import { chooseLanguage } from '#web/wording/languages.ts'

const known = ['de', 'en', 'fr', 'zh']

describe('a list of languages is read from the left', () => {
  test.each([
    // The case that was reported, followed by related ones.
    [['gsw de en'], 'de', 'de'],
    [['nb-NO de', 'fr'], 'de', 'de'],
    [['de_DE'], 'de_DE', 'de'],
    [['gsw_CH,fr_CH;q=0.8, de'], 'fr_CH;q=0.8', 'fr'],
    [[null, 'pt_BR', 'zh-Hant_TW'], 'zh-Hant_TW', 'zh'],
    [['  DE-AT\tfr '], 'DE-AT', 'de'],
  ])('%j', (wanted, tag, language) => {
    expect(firstKnownTag(known, wanted)).toBe(tag)
    expect(firstKnownLanguage(known, wanted)).toBe(language)
  })

  test.each([[[]], [[null]], [['']], [['tlh', 'nb-NO']], [['d', '*', '__proto__']]])(
    'and without a known one %j is English',
    (wanted) => {
      expect(firstKnownTag(known, wanted)).toBeUndefined()
      expect(firstKnownLanguage(known, wanted)).toBe('en')
    },
  )
})

test('the page of a check reads the list of a link before those of the browser', () => {
  expect(chooseLanguage(['gsw de en', 'fr-FR'])).toBe('de')
  expect(chooseLanguage(['nb-NO', 'fr-FR', 'de'])).toBe('fr')
})
