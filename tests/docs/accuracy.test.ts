import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chapters, unknowns } from '#lab/evaluate/report/chapters.ts'
import { linksOf, readPage } from '../support/document-pages.ts'

const report = readPage('docs/accuracy.md')

describe('docs/accuracy.md', () => {
  test('says what its command says', () => {
    for (const words of [...unknowns, ...chapters.flatMap(({ opening }) => opening)]) {
      expect(report.text).toContain(words)
    }
  })

  test('shows every existing plot', () => {
    const shown = linksOf(report).filter((link) => link.endsWith('.svg'))
    expect(shown.every((link) => existsSync(join('docs', link)))).toBe(true)
    expect(shown.map((link) => link.replace('data/accuracy/', '')).sort()).toEqual(
      readdirSync('docs/data/accuracy')
        .filter((name) => name.endsWith('.svg'))
        .sort(),
    )
  })
})
