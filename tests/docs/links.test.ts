import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, documentPages, linksOf, readPage } from '../support/document-pages.ts'

const readmeLimitInBytes = 12_000
const pages = documentPages()
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)

/** Describes the fault of a link of a page; undefined if it leads somewhere. */
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
    const reached = (path: string) =>
      indexed.includes(path) || linksOf(readPage('docs/contribute.md')).includes(posix.basename(path))
    expect(top.filter((path) => !reached(path))).toEqual([])
  })

  test('says on its first screen what passes at each level, with the figures of docs/attacks.md', () => {
    const [first] = readme.text.split('\n![')
    const levels = [...first!.matchAll(/^\| `(low|standard|high)`.*\|$/gm)]
    expect(levels.map(([, level]) => level)).toEqual(['low', 'standard', 'high'])
    const measured = readPage('docs/attacks.md').text
    for (const [line] of levels) {
      const figures = line.match(/\d+ of \d+ \[\d+, \d+ %\]/g)
      expect(figures).not.toBeNull()
      for (const figure of figures!) expect(measured).toContain(figure)
    }
    expect(first!.split('\n').length).toBeLessThan(40)
  })
})

describe('the index of decisions', () => {
  test('leads to each of its pages', () => {
    const indexed = linksOf(readPage('docs/decisions/README.md')).map((link) => `docs/decisions/${link}`)
    const subjects = pages
      .map(({ path }) => path)
      .filter((path) => /^docs\/decisions\/[a-z-]+\.md$/.test(path))
    expect(indexed).toEqual(expect.arrayContaining(subjects))
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
