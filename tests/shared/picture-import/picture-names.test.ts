import { describe, expect, test } from 'vitest'
import { nameOf, readNameTable } from '#shared/picture-import/picture-names.ts'

describe('the person of a picture', () => {
  test.each([
    ['none', 'a/b.jpg', null],
    ['file-name', 'a/b.c.jpg', 'b.c'],
    ['file-name', 'plain', 'plain'],
    ['folder', 'a/b/c.jpg', 'b'],
    ['folder', 'c.jpg', null],
  ] as const)('by %s of %s is %s', (naming, file, externalId) => {
    expect(nameOf(file, naming)).toEqual({ externalId })
  })

  test('is composed', () => {
    expect(nameOf('Zoe\u0308.jpg', 'file-name')).toEqual({ externalId: 'Zo\u00eb' })
  })

  test.each([`${'x'.repeat(513)}.jpg`, '.jpg', 'a\u0007.jpg'])(
    'is refused if it is not an external id: %j',
    (file) => {
      expect(nameOf(file, 'file-name')).toMatchObject({ reason: 'badExternalId' })
    },
  )

  test('is in a table, or unknown', () => {
    const { names } = readNameTable('\uFEFFexternalId,file\r\nanna,a.jpg\r\n')
    expect(nameOf('a.jpg', names)).toEqual({ externalId: 'anna' })
    expect(nameOf('b.jpg', names)).toMatchObject({ reason: 'notListed' })
  })
})

describe('a table of names', () => {
  test('reports empty rows, and reads the others', () => {
    const { names, faults } = readNameTable(
      'file,externalId\na.jpg,anna\nb.jpg\na.jpg,bert\n,carl\nd.jpg,dora\n',
    )
    expect([...names]).toEqual([
      ['a.jpg', 'anna'],
      ['d.jpg', 'dora'],
    ])
    expect(faults.map(({ file }) => file)).toEqual(['b.jpg', 'a.jpg', ''])
  })

  test('must name both columns', () => {
    expect(() => readNameTable('file;externalId\na.jpg;anna\n')).toThrow(RangeError)
  })
})
