import { expect, test } from 'vitest'
import { pageLanguages, wordsIn } from '#shared/contract/configuration/words-by-language.ts'
import { knownLanguages } from '#web/wording/languages.ts'

test('the languages of texts are those of the page', () => {
  expect([...pageLanguages]).toEqual([...knownLanguages()].sort())
})

test('texts are for a language, or for all others', () => {
  expect(wordsIn('To open a door', 'de')).toBe('To open a door')
  const words = { default: 'To open a door', de: 'Um eine Tür zu öffnen' }
  expect(wordsIn(words, 'de')).toBe(words.de)
  for (const language of ['fr', 'constructor', '']) expect(wordsIn(words, language)).toBe(words.default)
})
