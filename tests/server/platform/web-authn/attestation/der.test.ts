import { expect, test } from 'vitest'
import { elementsOf } from '#server/platform/web-authn/attestation/der.ts'

const read = (hex: string) =>
  elementsOf(Buffer.from(hex, 'hex')).map(({ tag, content }) => [tag, Buffer.from(content).toString('hex')])

test('elements are read with short and long tags and lengths', () => {
  expect(read('')).toEqual([])
  expect(read('020105' + '0400')).toEqual([
    [2, '05'],
    [4, ''],
  ])
  expect(read('bf8458' + '02' + '0500')).toEqual([[600, '0500']])
  expect(read(`048180${'00'.repeat(128)}`)).toEqual([[4, '00'.repeat(128)]])
  expect(read(`04820100${'00'.repeat(256)}`)).toEqual([[4, '00'.repeat(256)]])
})

test.each(['04', '0402ff', '04820100', 'bf84', '0480', '048500000000', '04847fffffff00'])(
  'torn or indefinite-length data is refused: %s',
  (hex) => {
    expect(() => read(hex)).toThrow(/DER/)
  },
)
