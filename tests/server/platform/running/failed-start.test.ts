import { expect, test } from 'vitest'
import { wordsOf } from '#server/platform/running/failed-start.ts'

const refusal = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: raw words of the system`), { code, syscall: 'mkdir', path })

test.each(['EACCES', 'EPERM', 'EROFS'])('%s names the folder and the setting', (code) => {
  const words = wordsOf(refusal(code, '/data/store'))
  expect(words).toContain(`may not mkdir /data/store (${code})`)
  expect(words).toContain('DATA_DIR')
  expect(words).not.toContain('raw words')
})

test('an error without a path, or of another kind, keeps its words', () => {
  expect(wordsOf(refusal('EACCES'))).toBe('EACCES: raw words of the system')
  expect(wordsOf(refusal('ENOSPC', '/data/store'))).toBe('ENOSPC: raw words of the system')
  expect(wordsOf('stopped')).toBe('stopped')
})

test('an error of the program keeps its stack, and a fault in words has none', () => {
  expect(wordsOf(new TypeError('x is no function'))).toContain('    at ')
  expect(wordsOf(new Error('Port 80 is in use'))).toBe('Port 80 is in use')
})
