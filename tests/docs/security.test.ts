import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const section = /## What attacks broke.*?\n(?=## )/s.exec(readFileSync('docs/security.md', 'utf8'))?.[0] ?? ''
const rows = section.split('\n').flatMap((line) => {
  const [, what, tests] = /^\| ((?!what|---).+?) \| (.+) \|$/.exec(line) ?? []
  return what === undefined ? [] : [{ what, tests: tests! }]
})

describe('what attacks broke, and what held', () => {
  test('has a row each', () => {
    expect(rows).toHaveLength(34)
  })

  test.each(rows)('$what: names tests that there are', ({ tests }) => {
    const cited = tests.split('; ').flatMap((part) => {
      const file = /^`((?:tests|e2e)\/[^`]+)`/.exec(part)?.[1]
      return file === undefined
        ? []
        : [{ file, names: [...part.matchAll(/“([^”]+)”/g)].map(([, name]) => name!) }]
    })
    expect(cited.length).toBeGreaterThan(0)
    for (const { file, names } of cited) {
      expect([file, existsSync(file)]).toEqual([file, true])
      const text = readFileSync(file, 'utf8')
      for (const name of names) expect(text).toContain(name)
    }
  })
})
