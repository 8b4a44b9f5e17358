import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, documentPages, linksOf, readPage } from '../support/document-pages.ts'

const readmeLimitInBytes = 12_000
const pages = documentPages()
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)

/** Describes what is wrong with a link on a page; undefined if it leads somewhere. */
function faultOf(path: string, link: string): string | undefined {
  if (/^(https?|mailto):/.test(link)) return undefined
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? path : posix.join(posix.dirname(path), file)
  if (!existsSync(target)) return `${link}: there is no ${target}`
  if (anchor === undefined || anchorsOf(readPage(target)).includes(anchor)) return undefined
  return `${link}: ${target} has no heading of that anchor`
}

function faultsOf(path: string, links: readonly string[]): string[] {
  return links.flatMap((link) => faultOf(path, link) ?? [])
}

describe.each(pages)('$path', (page) => {
  test('has only links that lead somewhere', () => {
    expect(faultsOf(page.path, linksOf(page))).toEqual([])
  })

  test('names only existing commands', () => {
    const named = [...page.text.matchAll(/npm run (?:--silent )?([a-z][\w-]*)/g)].map(([, name]) => name!)
    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
  })

  test('contains no path of a developer’s machine', () => {
    expect(page.text.match(/(?<![\w.])\/(?:work|root|home|tmp|Users)\/\S*/g)).toBeNull()
  })
})

describe('the README', () => {
  const readme = readPage('README.md')

  test(`has at most ${readmeLimitInBytes} bytes`, () => {
    expect(Buffer.byteLength(readme.text)).toBeLessThanOrEqual(readmeLimitInBytes)
  })

  test('leads to every page of docs/', () => {
    const indexed = linksOf(readme).map((link) => link.split('#')[0])
    const top = pages.map(({ path }) => path).filter((path) => /^docs\/[\w-]+\.md$/.test(path))
    expect(top.filter((path) => !indexed.includes(path))).toEqual([])
  })

  test('says what passes at each level with the figures of docs/attacks.md, one of them on the first screen', () => {
    const levels = [...readme.text.matchAll(/^\| `(low|standard|high)`.*\|$/gm)]
    expect(levels.map(([, level]) => level)).toEqual(['low', 'standard', 'high'])
    const measured = readPage('docs/attacks.md').text
    const figures = levels.flatMap(([line]) => line.match(/\d+ of \d+ \[\d+, \d+ %\]/g) ?? [])
    expect(figures).toHaveLength(6)
    for (const figure of figures) expect(measured).toContain(figure)
    const [first] = readme.text.split('\n## ')
    const [, count] = /\*\*[^*]* passes (\d+ of \d+) checks[^*]*\*\*/.exec(first!) ?? []
    expect(figures.some((figure) => figure.startsWith(`${count} [`))).toBe(true)
    expect(first!.split('\n').length).toBeLessThan(40)
  })

  test('has the start within its first 45 lines, and four measured figures with their commands', () => {
    expect(readme.text.split('\n').indexOf('## Start it')).toBeLessThan(40)
    const [, measured = ''] = readme.text.split('## Measured\n')
    expect(measured.split('\n## ')[0]!.match(/\| `npm run (bench|evaluate|attack)[^`]*` \|$/gm)).toHaveLength(
      4,
    )
  })

  test('groups the pages by what their reader wants to do', () => {
    const groups = [...readme.text.matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(([, name]) => name)
    expect(groups).toEqual(['Try', 'Build', 'Run', 'Judge the risk', 'Change the code'])
  })
})

describe('the pages of docs/', () => {
  const below = pages.filter(({ path }) => path.startsWith('docs/'))
  const wordsOf = (text: string) => text.split(/\s+/).length

  test('are at most 20, each of at most 6,000 words, and of 70,000 in all', () => {
    expect(below.length).toBeLessThanOrEqual(20)
    expect(below.filter(({ text }) => wordsOf(text) > 6000).map(({ path }) => path)).toEqual([])
    expect(below.reduce((sum, { text }) => sum + wordsOf(text), 0)).toBeLessThanOrEqual(70_000)
  })

  test('lead to every file of docs/data', () => {
    const linked = below.flatMap((page) => linksOf(page).map((link) => posix.join('docs', link)))
    const files = readdirSync('docs/data', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => posix.join(parentPath, name))
    expect(files.filter((file) => !linked.includes(file))).toEqual([])
  })

  test('begin with what their reader can do afterwards', () => {
    expect(
      below.filter(({ text }) => !/^# .+\n\nAfter this page /.test(text)).map(({ path }) => path),
    ).toEqual([])
  })
})

describe('the check of links', () => {
  test.each([
    ['a file that is missing', 'missing.md'],
    ['an anchor that is missing', '../README.md#missing'],
    ['an anchor of the page that is missing', '#missing'],
  ])('finds %s', (_, link) => {
    expect(faultsOf('docs/kiosk.md', [link])).toHaveLength(1)
  })

  test('builds anchors as they are rendered', () => {
    const text = '# A, `b` and [C](d.md)\n## 3. Receive the webhook\n## Twice\n```sh\n# none\n```\n## Twice\n'
    expect(anchorsOf({ path: 'x.md', text })).toEqual([
      'a-b-and-c',
      '3-receive-the-webhook',
      'twice',
      'twice-1',
    ])
  })
})
