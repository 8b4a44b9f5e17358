import { expect, test } from 'vitest'
import { licenceFaults, licences } from '../../../build/release/licences.ts'
import { type ShippedPackage, shippedPackages } from '../../../build/release/shipped-package.ts'

const whole: ShippedPackage = {
  name: 'one',
  version: '1.0.0',
  licence: 'MIT',
  author: 'Ada',
  sources: 'https://one.example',
  texts: [],
}

test('every package that is shipped may be, and is the one of the lock file', () => {
  const packages = shippedPackages()
  expect(packages.length).toBeGreaterThan(150)
  expect(licenceFaults(packages)).toEqual([])
  expect(packages.filter(({ outdated }) => outdated !== undefined)).toEqual([])
})

test.each([
  [{ licence: 'AGPL-3.0' }, 'one has the licence "AGPL-3.0", which is not in the list'],
  [{ licence: '' }, 'one has the licence "", which is not in the list'],
  [{ licence: 'Apache-2.0' }, 'one has no text of Apache-2.0'],
])('a package with %o may not be shipped', (other, fault) => {
  expect(licenceFaults([{ ...whole, ...other }])).toEqual([fault])
})

test('a package without a text of its own comes with the usual one and its author', () => {
  const text = licences([whole])
  expect(text).toContain('one 1.0.0, MIT, https://one.example')
  expect(text).toMatch(/Copyright \(c\) Ada\n\nPermission is hereby granted/)
  expect(licences([{ ...whole, author: '' }])).toContain('Copyright (c) the authors of one')
})

test('a text of its own is passed on as it is, and those of the LGPL come once', () => {
  const own = 'A licence. '.repeat(30)
  const lesser = { ...whole, name: 'two', licence: 'LGPL-3.0-or-later', texts: ['Its parts.'] }
  const text = licences([{ ...whole, texts: [own] }, lesser, { ...lesser, name: 'three' }])
  expect(text).toContain(own)
  expect(text).not.toContain('Permission is hereby granted')
  expect(text.match(/GNU LESSER GENERAL PUBLIC LICENSE\n/g)).toHaveLength(1)
  expect(text.match(/Its parts\./g)).toHaveLength(2)
})
