import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { billFaults, storeFaults } from '../../../build/release/release-check.ts'
import { changelogVersions } from '../../../build/release/version-places.ts'
import { readSource } from '../../architecture/source-file.ts'

const one = { name: 'one', version: '1.0.0', licence: 'MIT', author: '', sources: '', texts: [] }
const entry = { 'bom-ref': 'one@1.0.0', hashes: [{ alg: 'SHA-512', content: 'ab' }], licenses: [{}] }

test.each([
  ['nothing of it', [], ['one 1.0.0 is not in it']],
  ['no hash', [{ ...entry, hashes: [] }], ['one 1.0.0 has no hash or no licence in it']],
  [
    'no licence',
    [{ 'bom-ref': 'one@1.0.0', hashes: entry.hashes }],
    ['one 1.0.0 has no hash or no licence in it'],
  ],
  ['all of it', [entry], []],
])('a bill of materials has %s', (_, components, faults) => {
  expect(billFaults(components, [one])).toEqual(faults)
})

test('every earlier version has a store of each kind that any version has', () => {
  const files = ['0.2.0.lmdb.tar.br', '0.2.0.redis.tar.br', '1.0.0.lmdb.tar.br', 'other.process.ts']
  expect(storeFaults(['1.0.0', '0.2.0'], files)).toEqual(['there is no store of 1.0.0 on redis'])
  expect(storeFaults(['0.2.0'], [])).toEqual(['there is none'])
  const earlier = changelogVersions((path) => readFileSync(path, 'utf8')).slice(1)
  expect(storeFaults(earlier, readdirSync('tests/support/stores'))).toEqual([])
})

test('every package that the product imports is a dependency, so that bills and licences name it', () => {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as Record<string, Record<string, string>>
  const listed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
  const sources = ['models', 'server', 'shared', 'web', 'workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
  const imported = sources.flatMap((path) =>
    readSource('.', path)
      .imports.filter(({ isPackage, isType, target }) => isPackage && !isType && !target.startsWith('node:'))
      .map(({ target }) =>
        target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  )
  expect(imported.length).toBeGreaterThan(100)
  expect([...new Set(imported)].filter((name) => !listed.includes(name) && name !== 'selfsame')).toEqual([])
})
