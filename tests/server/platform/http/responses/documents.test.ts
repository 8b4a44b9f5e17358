import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readDocuments } from '#server/platform/http/responses/documents.ts'
import { type Host, startHost } from '../../../../support/host.ts'

const folder = join(import.meta.dirname, '../../../../../docs')

let host: Host
beforeAll(async () => {
  host = await startHost({ site: { documents: await readDocuments(folder) } })
})
afterAll(() => host.close())

describe('GET /llms.txt', () => {
  test('lists every page with its purpose, and the API; each link leads to the unmodified page', async () => {
    const answer = await host.fetch('/llms.txt')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const text = await answer.text()
    expect(text.startsWith('# Selfsame\n\n> ')).toBe(true)
    expect(text).toContain('](/openapi.json)')
    const links = [...text.matchAll(/^- \[[^\]]+\]\((\/docs\/[^)]+\.md)\)(: \S.*)?$/gm)]
    expect(links.map(([, path]) => path)).toEqual(
      expect.arrayContaining(['/docs/try.md', '/docs/integrate.md', '/docs/decisions.md']),
    )
    expect(links.length).toBe((await readDocuments(folder)).size)
    for (const [, path] of links) {
      const page = await host.fetch(path!)
      expect(page.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
      expect(page.headers.get('access-control-allow-origin')).toBe('*')
      expect(await page.text()).toBe(await readFile(join(folder, path!.slice('/docs/'.length)), 'utf8'))
    }
  })

  test.each([
    '/docs/nothing.md',
    '/docs/../package.json',
    '/docs/openapi.json',
    '/docs/%2e%2e/README.md',
    '/docs/',
  ])('leaves %s alone', async (path) => expect((await host.fetch(path)).status).toBe(404))
})

test('a server without its pages serves none', async () => {
  expect((await readDocuments(join(folder, 'nowhere'))).size).toBe(0)
  const bare = await startHost()
  expect((await bare.fetch('/llms.txt')).status).toBe(404)
  await bare.close()
})
