import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examplesOf, readPage } from '../support/document-pages.ts'

const [tree = ''] = examplesOf(readPage('docs/architecture.md'), '')

/** The tree's folders with their full paths. Two spaces are one level. Some come on the same line as their parent. */
function foldersOf(drawn: string): string[] {
  const above: string[] = []
  return drawn.split('\n').flatMap((line) => {
    const [, indent, name, words] = /^( *)([\w-]+)\/ +(.*)$/.exec(line) ?? []
    if (indent === undefined || indent.length > 4) return []
    above.length = indent.length / 2
    above.push(name!)
    const folder = above.join('/')
    const named = [...words!.matchAll(/\b([\w-]+)\/(?=[\s,.]|$)/g)]
    return [folder, ...named.map(([, below]) => posix.join(folder, below!))]
  })
}

describe('docs/architecture.md', () => {
  const drawn = foldersOf(tree)

  test('draws no folder that does not exist', () => {
    expect(drawn.length).toBeGreaterThan(50)
    expect(drawn.filter((folder) => !existsSync(folder))).toEqual([])
  })

  test.each(['shared', 'models', 'workers', 'web', 'server', 'lab'])('omits no folder of %s', (folder) => {
    const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(below.map(({ name }) => `${folder}/${name}`).filter((path) => !drawn.includes(path))).toEqual([])
  })

  test('recognises an existing folder', () => {
    expect(foldersOf('web/   the pages\n  ui/   screens: nothing/, other/\n')).toEqual([
      'web',
      'web/ui',
      'web/ui/nothing',
      'web/ui/other',
    ])
  })
})

describe('the walks of docs/architecture.md', () => {
  const [, ...walks] = readPage('docs/architecture.md').text.split('## Five walks')[1]!.split('\n### ')
  const filesOf = (walk: string) => [...walk.matchAll(/^\d+\. `([^`]+)`: /gm)].map(([, file]) => file!)

  test('are five', () => {
    expect(walks).toHaveLength(5)
  })

  test.each(walks.map((walk) => [walk.split('\n')[0]!, filesOf(walk)] as const))(
    '%s: ten existing files, none twice',
    (_, files) => {
      expect(files.filter((file) => !existsSync(file))).toEqual([])
      expect(new Set(files).size).toBe(10)
    },
  )
})
