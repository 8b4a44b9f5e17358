import { describe, expect, test } from 'vitest'
import { faultInJson, placeInJson } from '#web/console/verifications/config-lines.ts'

const text = `{
  "redirectConfig": {
    "passedUrl": "x"
  },
  "x-list": [
    1,
    { "a/b": 2 }
  ]
}`

const lineAt = (path: string) => placeInJson(text, path)?.line
const textAt = (path: string) => {
  const place = placeInJson(text, path)!
  return text.slice(place.from, place.to)
}

describe('the line of a member', () => {
  test('is that of its name', () => {
    expect(lineAt('redirectConfig/passedUrl')).toBe(3)
    expect(textAt('redirectConfig/passedUrl')).toBe('"passedUrl": "x"')
    expect(lineAt('redirectConfig')).toBe(2)
    expect(lineAt('')).toBe(1)
  })

  test('is found in lists, and by a name that a pointer must escape', () => {
    expect(lineAt('x-list/0')).toBe(6)
    expect(lineAt('x-list/1/a~1b')).toBe(7)
  })

  test('is its would-be position if it is missing', () => {
    expect(lineAt('redirectConfig/failedUrl')).toBe(2)
    expect(lineAt('verifierConfigs/age/type')).toBe(1)
  })

  test('is unknown in an empty text', () => {
    expect(placeInJson('', 'name')).toBeUndefined()
  })
})

test.each([
  ['{\n  "a": 1,\n}', 3],
  ['{\n  "a": 1\n  "b": 2\n}', 3],
  ['{\n  // no\n}', 2],
  ['[]', 1],
  ['', 1],
])('%j is not a configuration, from a line on', (wrong, line) => {
  expect(faultInJson(wrong).line).toBe(line)
})
