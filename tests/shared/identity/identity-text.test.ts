import { describe, expect, test } from 'vitest'
import { foldedAddress, isPlainAddress } from '#shared/identity/email-address.ts'
import {
  canonicalIdentity,
  codePointsOf,
  identityForms,
  isIdentityText,
  isSameIdentity,
  isWellFormed,
} from '#shared/identity/identity-text.ts'

describe('an identifying text', () => {
  test.each<readonly [string, string, boolean]>([
    ['letters', 'Kim', true],
    ['letters of other scripts', 'علی\u200cرضا', true],
    ['a character outside the first plane', '👩‍🚀', true],
    ['spaces and punctuation', ' a|b/c:d ', true],
    ['NUL', 'kim\u0000', false],
    ['a line’s end', 'kim\n', false],
    ['a tab', 'k\tim', false],
    ['DEL', 'kim\u007f', false],
    ['a C1 control', 'kim\u0085', false],
    ['the first half of a character', 'kim\ud83d', false],
    ['the second half of a character', '\ude00kim', false],
  ])('may hold %s: %s %s', (_what, text, isFit) => {
    expect(isIdentityText(text)).toBe(isFit)
  })

  test.each<readonly [string, string, boolean]>([
    ['é', 'e\u0301', true],
    ['가', '\u1100\u1161', true],
    ['a', 'A', false],
    ['ﬁ', 'fi', false],
  ])('%s is %s: %s', (one, other, isSame) => {
    expect(isSameIdentity(one, other)).toBe(isSame)
    expect(canonicalIdentity(one) === canonicalIdentity(other)).toBe(isSame)
  })

  test('is looked up in its canonical form, and as it was sent if that differs', () => {
    expect(identityForms('kim')).toEqual(['kim'])
    expect(identityForms('Rene\u0301')).toEqual(['Ren\u00e9', 'Rene\u0301'])
  })

  test('is counted in characters', () => {
    expect([codePointsOf('😀'.repeat(512)), codePointsOf('é'), codePointsOf('')]).toEqual([512, 1, 0])
  })

  test('is well-formed without halves of characters, whatever else it contains', () => {
    expect([isWellFormed('a\u0000😀'), isWellFormed('a\ud83d')]).toEqual([true, false])
  })
})

describe('an address', () => {
  test.each<readonly [string, string, string]>([
    ['A to Z', 'KIM@Example.COM', 'kim@example.com'],
    ['nothing else', '\u212aim@example.com', '\u212aim@example.com'],
    ['no dotted capital I', '\u0130an@example.com', '\u0130an@example.com'],
    ['no letter of another script', '\u041aim@example.com', '\u041aim@example.com'],
    ['spaces around it away', ' kim@example.com ', 'kim@example.com'],
  ])('is folded for %s', (_what, address, folded) => {
    expect(foldedAddress(address)).toBe(folded)
  })

  test.each<readonly [string, boolean]>([
    ['kim@example.com', true],
    ['Kim.o+x@mail.example.co.uk', true],
    ['o’hara@example.com', false],
    ['\u212aim@example.com', false],
    ['kim@\u212a.com', false],
    ['kim@example', false],
    ['kim@-a.com', false],
    ['kim', false],
    ['"kim"@example.com', false],
    ['kim\u0000@example.com', false],
    ['kim@example.com\n', false],
  ])('%s can be invited: %s', (address, can) => {
    expect(isPlainAddress(address)).toBe(can)
  })
})
