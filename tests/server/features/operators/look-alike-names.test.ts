import { describe, expect, test } from 'vitest'
import { looksLike } from '#server/features/operators/look-alike-names.ts'

describe('two names of people', () => {
  test.each<readonly [string, string, string]>([
    ['are the same', 'Ada', 'Ada'],
    ['differ in case', 'Ada', 'ADA'],
    ['differ in spaces', 'Ada  Lovelace ', 'Ada Lovelace'],
    ['differ in what is not seen', 'Ada', 'A\u200dda'],
    ['have letters of another script', 'Ada', '\u0410d\u0430'],
    ['have Greek letters', 'Olga', '\u039flga'],
    ['have the sign of Kelvin', 'Kim', '\u212aim'],
    ['have letters of another width', 'Ada', 'Ａｄａ'],
    ['have mathematical letters', 'Ada', '𝐀𝐝𝐚'],
    ['have a capital I for an l', 'Alan', 'AIan'],
    ['have a one for an l', 'Alan', 'A1an'],
    ['have a nought for an O', 'Olga', '0lga'],
    ['have two letters that look like one', 'Kim', 'Kirn'],
    ['are composed otherwise', 'Ren\u00e9', 'Rene\u0301'],
    ['have no dot on their i', 'Kim', 'K\u0131m'],
  ])('are confused if they %s', (_what, one, other) => {
    expect([looksLike(one, other), looksLike(other, one)]).toEqual([true, true])
  })

  test.each<readonly [string, string]>([
    ['Ada', 'Ida'],
    ['Kim', 'Tim'],
    ['Анна', 'Anna'],
    ['René', 'Rene'],
    ['علی', 'رضا'],
    ['田中', '中田'],
    ['Ann', 'Anne'],
  ])('%s and %s are not', (one, other) => {
    expect([looksLike(one, other), looksLike(other, one)]).toEqual([false, false])
  })
})
