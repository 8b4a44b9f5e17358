import { describe, expect, test } from 'vitest'
import { loadPlaygroundWording, playgroundLanguages } from '#web/playground/wording/playground-languages.ts'
import { knownLanguages } from '#web/wording/languages.ts'
import { looseFrench, secondWords } from '../support/phrases.ts'

const placesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()

describe('the words of the playground', () => {
  test('exist in every language of the check', () => {
    expect([...playgroundLanguages].sort()).toEqual([...knownLanguages()].sort())
  })

  test.each(playgroundLanguages)('have the places of the English ones: %s', async (language) => {
    const [words, english] = await Promise.all([
      loadPlaygroundWording([language]),
      loadPlaygroundWording(['en']),
    ])
    expect(words.locale).toBe(language)
    expect(words.direction).toBe(language === 'ar' ? 'rtl' : 'ltr')
    expect(Object.keys(words).sort()).toEqual(Object.keys(english).sort())
    for (const [name, text] of Object.entries(words)) {
      expect([name, placesIn(text)]).toEqual([name, placesIn(english[name as keyof typeof english])])
    }
  })

  test.each(playgroundLanguages)('call one thing by one word: %s', async (language) => {
    const texts = Object.values(await loadPlaygroundWording([language]))
    expect(texts.filter((text) => secondWords[language]?.test(text))).toEqual([])
    expect(texts.filter((text) => language === 'fr' && looseFrench.test(text))).toEqual([])
  })

  test('are those of the first known language', async () => {
    expect((await loadPlaygroundWording(['xx', 'pt-BR', 'de'])).locale).toBe('pt')
    expect((await loadPlaygroundWording(['xx'])).locale).toBe('en')
  })
})
