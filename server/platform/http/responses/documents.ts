import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type Router from '@koa/router'
import type { Context } from 'koa'
import { allowAnyOrigin } from './security-headers.ts'

/** Documentation pages by path, such as `integrate.md`, with their text in the repository. */
export type Documents = ReadonlyMap<string, string>

/** Reads every page in a folder; empty if the folder does not exist. */
export async function readDocuments(folder: string): Promise<Documents> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const pages = names
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .sort()
  const texts = await Promise.all(pages.map((name) => readFile(join(folder, name), 'utf8')))
  return new Map(pages.map((name, i) => [name, texts[i]!]))
}

/** Mounts each page at `/docs/…`, and an index at `/llms.txt` in llmstxt.org's format. */
export function mountDocuments(router: Router, documents: Documents): void {
  if (documents.size === 0) return
  router.get('/llms.txt', (ctx) => send(ctx, 'text/plain', overviewOf(documents)))
  for (const [name, text] of documents) {
    router.get(`/docs/${name}`, (ctx) => send(ctx, 'text/markdown', text))
  }
}

function send(ctx: Context, type: string, text: string): void {
  allowAnyOrigin(ctx)
  ctx.set('Cache-Control', 'no-cache')
  ctx.set('Content-Type', `${type}; charset=utf-8`)
  ctx.body = text
}

const head = `# Selfsame

> Answers, in the browser and on your own machines: is this a live person, how old are they roughly, have we seen this face before,
> is it the same person as last time? A signed link opens the check; your server reads the result.

- [The API as OpenAPI 3.1](/openapi.json): every endpoint of this host, with its rules, limits and problem codes.
`

function overviewOf(documents: Documents): string {
  const lines = [...documents].map(([name, text]) => lineOf(name, text))
  return `${head}\n## Docs\n\n${lines.join('\n')}\n`
}

/** A page's title and its first sentence, which says what a reader can do afterwards. */
function lineOf(name: string, text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const below = text.slice(text.indexOf(title) + title.length).split(/\n\s*\n/)
  const said = below.find((paragraph) => /^[A-Z]/.test(paragraph.trim()))?.trim() ?? ''
  const sentence = /^.*?[.:](?=\s|$)/s.exec(said)?.[0] ?? said
  const plain = sentence.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ')
  return `- [${title}](/docs/${name})${plain === '' ? '' : `: ${plain}`}`
}
