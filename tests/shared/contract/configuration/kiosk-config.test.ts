import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { outcomeTextIn } from '#shared/contract/configuration/kiosk-config.ts'
import { verificationConfig } from '#shared/contract/configuration/verification-config.ts'

const words = (title: unknown, text?: unknown) => ({ title, ...(text !== undefined && { text }) })
const configOf = (outcomeTexts: unknown) => ({ kioskConfig: { outcomeTexts } })

/** The places of the faults that a configuration has. */
function faultsOf(outcomeTexts: unknown): string[] {
  const { issues } = v.safeParse(verificationConfig, configOf(outcomeTexts))
  return (issues ?? []).map((issue) => v.getDotPath(issue as never)!.replace('kioskConfig.outcomeTexts.', ''))
}

describe('words for the ends of a visit at a kiosk', () => {
  test('are kept as sent', () => {
    const sent = configOf({
      passed: { en: words('Please wait here', 'Somebody picks you up.'), de: words('Bitte warten Sie hier') },
      saved: { en: words('x'.repeat(120), '😀'.repeat(120)) },
    })
    expect(v.parse(verificationConfig, sent)).toEqual(sent)
  })

  test.each<[string, unknown, string[]]>([
    ['longer than 120 characters', { passed: { en: words('x'.repeat(121)) } }, ['passed.en.title']],
    ['a longer sentence', { failed: { de: words('x', '😀'.repeat(121)) } }, ['failed.de.text']],
    ['nothing', { saved: { en: words('') } }, ['saved.en.title']],
    ['no title', { saved: { en: { text: 'x' } } }, ['saved.en.title']],
    ['control characters', { passed: { en: words('a\u0007b') } }, ['passed.en.title']],
    ['another language', { passed: { xx: words('x') } }, ['passed.xx']],
    ['another outcome', { later: { en: words('x') } }, ['later']],
    ['markup in parts', { passed: { en: words({ b: 'x' }) } }, ['passed.en.title']],
  ])('are refused with %s', (_what, outcomeTexts, places) => expect(faultsOf(outcomeTexts)).toEqual(places))
})

test('a language without words takes the English ones, and without those none', () => {
  const texts = {
    passed: { en: words('Wait here'), de: words('Hier warten') },
    saved: { de: words('Später') },
  }
  const said = (of: 'passed' | 'failed' | 'saved', language: string) =>
    outcomeTextIn(texts as never, of, language)?.title
  expect([said('passed', 'de'), said('passed', 'fr'), said('passed', 'xx')]).toEqual([
    'Hier warten',
    'Wait here',
    'Wait here',
  ])
  expect([said('saved', 'fr'), said('failed', 'en'), outcomeTextIn(undefined, 'passed', 'en')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
