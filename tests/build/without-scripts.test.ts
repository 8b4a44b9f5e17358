import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pageLanguages } from '#shared/contract/configuration/words-by-language.ts'
import { informedWithoutScripts, withoutScripts } from '../../build/without-scripts.ts'

/** The paragraphs in a built document, with their language, direction and words. */
async function paragraphsOf(page: string): Promise<string[][]> {
  const document = await readFile(new URL(`../../web/${page}`, import.meta.url), 'utf8')
  const transform = informedWithoutScripts().transformIndexHtml as (
    document: string,
    context: { path: string },
  ) => string
  const built = transform(document, { path: `/${page}` })
  const [, words] = /<noscript>(.*)<\/noscript>/s.exec(built)!
  return [...words!.matchAll(/<p lang="(\w+)"( dir="rtl")?>([^<]+)<\/p>/g)].map(
    ([, language, direction, text]) => [language!, direction === undefined ? 'ltr' : 'rtl', text!],
  )
}

test.each(['index.html', 'kiosk.html', 'check-device.html', 'playground.html'])(
  '%s says in every language that it needs scripts',
  async (page) => {
    const paragraphs = await paragraphsOf(page)
    expect(paragraphs.map(([language]) => language).sort()).toEqual([...pageLanguages].sort())
    for (const [language, direction, text] of paragraphs) {
      expect(direction, language).toBe(language === 'ar' ? 'rtl' : 'ltr')
      expect(text).toBe(withoutScripts[language as keyof typeof withoutScripts])
      expect(text).toContain('JavaScript')
    }
  },
)

test('the console says it in its own four', async () => {
  expect((await paragraphsOf('console.html')).map(([language]) => language)).toEqual(['en', 'de', 'ar', 'ja'])
})
