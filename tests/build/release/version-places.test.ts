import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changelogVersions, versionFaults, versionPlaces } from '../../../build/release/version-places.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const places = versionPlaces(read)

test('every place names the version of package.json', () => {
  expect(versionFaults(places)).toEqual([])
})

test.each(places.slice(1).map(({ place }) => place))('another version in %s is a fault', (place) => {
  const [path] = place.split(', ')
  const { version } = places[0]!
  const faults = versionFaults(
    versionPlaces((asked) => (asked === path ? read(asked).replaceAll(version!, '9.8.7') : read(asked))),
  )
  expect(faults).toContain(`${place} has 9.8.7, not ${version}`)
})

test('a place without a version is a fault', () => {
  const faults = versionFaults(versionPlaces((path) => (path === 'SECURITY.md' ? '' : read(path))))
  expect(faults).toEqual([`SECURITY.md has no version, not ${places[0]!.version}`])
})

test('the changelog lists the newest version first, and tells both releases in at most 120 lines', () => {
  const versions = changelogVersions(read)
  const newestFirst = new Intl.Collator('en', { numeric: true })
  expect([...versions].sort((a, b) => newestFirst.compare(b, a))).toEqual(versions)
  const [, ...parts] = read('CHANGELOG.md').split(/^## /m)
  const ofTwo = parts.filter((part) => /^\[(?:0\.2\.0|1\.0\.0)\]/.test(part))
  expect(ofTwo).toHaveLength(2)
  expect(ofTwo.join('').split('\n').length).toBeLessThanOrEqual(120)
})
