import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newNameFault } from '#shared/identity/new-name.ts'

describe('a new name', () => {
  test.each([
    'Sign-up',
    'Überprüfung 18+',
    'المستخدم ١',
    'क्\u200dष', // ZWJ between a virama and a letter
    'می\u200cخواهم', // ZWNJ in Persian
    '葛\u{e0100}城', // variation of an ideograph
    '❤\ufe0f team',
    '©\ufe0f',
    '1\ufe0f\u20e3 first',
    '👩🏽\u200d💻',
    '❤\ufe0f\u200d🔥',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}', // Scotland
    'a b',
    'e\u0301',
  ])('may be %j', (name) => {
    expect(newNameFault(name)).toBeUndefined()
  })

  const unseen = 'Must not contain invisible characters.'
  const direction = 'Must not contain characters that change the direction of text.'
  test.each([
    ['', 'Must contain a visible character.'],
    ['   ', 'Must contain a visible character.'],
    ['\u3164', 'Must contain a visible character.'],
    ['\u2800', 'Must contain a visible character.'],
    ['\u200b\u200d', 'Must contain a visible character.'],
    [' a', 'Must not begin or end with white space.'],
    ['a\u00a0', 'Must not begin or end with white space.'],
    ['a\u200bb', unseen],
    ['a\u00adb', unseen],
    ['\ufeffa', 'Must not begin or end with white space.'],
    ['a\u2060', unseen],
    ['a\ufe0f', unseen],
    ['1\ufe0f', unseen],
    ['a\u{e0100}', unseen],
    ['a\u{e0061}', unseen],
    ['🏴\u{e0067}', unseen],
    ['a\u200d', unseen],
    ['\u200da', unseen],
    ['a\u200d\u200db', unseen],
    ['7\u200c7', unseen],
    ['\u115fa', unseen],
    ['a\u202eb', direction],
    ['\u200fa', direction],
    ['a\u2066b\u2069', direction],
    ['a\nb', 'Must not contain control characters or lone surrogates.'],
    ['a\ud800', 'Must not contain control characters or lone surrogates.'],
  ])('is never %j', (name, fault) => {
    expect(newNameFault(name)).toBe(fault)
  })

  test('has no pair that differs in invisible characters only, over all texts', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        'a',
        'é',
        '漢',
        'क',
        '\u094d',
        '1',
        '+',
        '❤',
        '🔥',
        ' ',
        '\u200b',
        '\u200c',
        '\u200d',
        '\ufe0f',
        '\u{e0100}',
        '\u00ad',
        '\u202e',
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    )
    const ignorable = /\p{Default_Ignorable_Code_Point}/gu
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 8 }), (units) => {
        const name = units.join('')
        fc.pre(newNameFault(name) === undefined)
        expect(name.replace(ignorable, '').trim()).not.toBe('')
        for (const { index, 0: character } of name.matchAll(ignorable)) {
          const before = [...name.slice(0, index)].at(-1) ?? ''
          expect(before, JSON.stringify([name, character])).toMatch(
            /[\p{L}\p{M}\p{Emoji}\p{S}\u{e0020}-\u{e007f}]/u,
          )
        }
      }),
    )
  })
})
