import { expect, test } from 'vitest'
import { readStartWords } from '#server/app/command/start-words.ts'

test.each([
  [[], false],
  [['--https'], true],
])('%o: over https is %o', (words, https) => expect(readStartWords(words)).toEqual({ https }))
