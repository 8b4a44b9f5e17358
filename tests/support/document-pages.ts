import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** A Markdown page for readers, by its path from the project root. */
export interface DocumentPage {
  readonly path: string
  readonly text: string
}

/** The pages in the project root, and everything in docs/. */
export function documentPages(): DocumentPage[] {
  const below = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join('docs', name.replaceAll('\\', '/')))
  return ['README.md', 'SECURITY.md', 'CHANGELOG.md', ...below.sort()].map(readPage)
}

export function readPage(path: string): DocumentPage {
  return { path, text: readFileSync(path, 'utf8') }
}

/** The concatenated code from a page's blocks in one language. */
export function examplesOf({ text }: DocumentPage, language: string): string[] {
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
  return blocks.filter(([, named]) => named === language).map(([, , code]) => code!)
}

/** The page without its code, where links and headings do not count. */
function proseOf({ text }: DocumentPage): string {
  return text
    .replace(/^ *```.*?^ *```$/gms, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()#]/g, ' '))
}

/** The targets of a page's links and pictures, as they are written. */
export function linksOf(page: DocumentPage): string[] {
  return [...proseOf(page).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!)
}

/** The anchors of a page's headings as rendered: lower case, hyphens instead of spaces, and a number for repeated ones. */
export function anchorsOf({ text }: DocumentPage): string[] {
  const headings = [...text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)]
  const seen = new Map<string, number>()
  return headings.map(([, heading]) => {
    const slug = heading!
      .replace(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const repeated = seen.get(slug) ?? 0
    seen.set(slug, repeated + 1)
    return repeated === 0 ? slug : `${slug}-${repeated}`
  })
}
