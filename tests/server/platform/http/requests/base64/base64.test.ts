import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase64 } from '#server/platform/http/requests/base64/base64.ts'

const most = 1000

describe('Base64 as encoders write it', () => {
  const lineBreaks = fc.constantFrom('', '\n', '\r\n', ' ', '\t', '\f')
  const prefixes = fc.constantFrom(
    '',
    'data:image/jpeg;base64,',
    'DATA:IMAGE/PNG;name=a.png;BASE64,',
    '\n data:image/webp;base64,',
  )

  test('has the same bytes in either alphabet, with or without padding, line breaks and prefix', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 })
    const line = fc.integer({ min: 1, max: 80 })
    fc.assert(
      fc.property(
        bytes,
        fc.boolean(),
        fc.boolean(),
        lineBreaks,
        line,
        prefixes,
        (sent, isSafe, isPadded, lineBreak, length, prefix) => {
          const padded = Buffer.from(sent).toString('base64')
          const digits = isPadded ? padded : padded.replace(/=+$/, '')
          const text = isSafe ? digits.replaceAll('+', '-').replaceAll('/', '_') : digits
          const lines = text.replace(new RegExp(`.{${length}}`, 'g'), `$&${lineBreak}`)
          expect(Buffer.from(decodeBase64(prefix + lines, most) as Uint8Array)).toEqual(Buffer.from(sent))
        },
      ),
    )
  })

  test.each([
    ['', 'Must not be empty.'],
    [' \n', 'Must not be empty.'],
    ['data:image/jpeg;base64,', 'Must not be empty.'],
    ['data:text/plain;base64,AAAA', 'Must be Base64, alone or after data:image/…;base64,.'],
    ['data:image/jpeg,AAAA', 'Must be Base64, alone or after data:image/…;base64,.'],
    ['AA+_', 'Must not mix + and / with - and _.'],
    ['-A/A', 'Must not mix + and / with - and _.'],
    ['AA=', 'Must be padded with = to whole groups of four characters, or not at all.'],
    ['AAA==', 'Must be padded with = to whole groups of four characters, or not at all.'],
    ['AA==AAAA', 'Must have nothing after the padding.'],
    ['A===', 'Must have nothing after the padding.'],
    ['AAAAA', 'Must be Base64 of whole bytes; a character is missing.'],
    ['AB', 'Must be Base64 without extra bits in its last character.'],
    ['AAA*', 'Must be Base64.'],
    ['AA\u00a0AA', 'Must be Base64.'],
    ['AA\vAA', 'Must be Base64.'],
  ])('is refused with a reason: %j', (text, fault) => {
    expect(decodeBase64(text, most)).toEqual({ fault })
  })

  test('is bounded by decoded bytes', () => {
    const bytes = Buffer.alloc(30, 7)
    const broken = bytes.toString('base64').replace(/./g, '$&\n')
    expect(decodeBase64(broken, 30)).toEqual(bytes)
    expect(decodeBase64(broken, 29)).toEqual({ fault: expect.stringContaining('Must be at most') })
  })
})
