import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isFresh } from '../../build/fresh.mjs'
import { isBuilt } from '../support/programs/server-program.ts'

let folder: string
let source: string
let stamp: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-fresh-'))
  await mkdir(join(folder, 'server', 'app'), { recursive: true })
  source = join(folder, 'server', 'app', 'main.ts')
  stamp = join(folder, 'stamp')
  await writeFile(source, 'built')
  await writeFile(
    stamp,
    JSON.stringify({ hash: '', folders: [join(folder, 'server')], files: await statesIn(source) }),
  )
})
afterEach(() => rm(folder, { recursive: true }))

async function statesIn(path: string) {
  const { size, mtimeMs } = await stat(path)
  return { [path]: [size, mtimeMs] }
}

describe('a build', () => {
  test('is fresh while every source keeps its size and its time', () => {
    expect(isFresh(stamp)).toBe(true)
  })

  test('is stale after a change of the same length', async () => {
    await writeFile(source, 'edits')
    await utimes(source, new Date(), new Date(Date.now() + 1000))
    expect(isFresh(stamp)).toBe(false)
  })

  test('is stale after a change that keeps the time', async () => {
    const { atime, mtime } = await stat(source)
    await writeFile(source, 'edited')
    await utimes(source, atime, mtime)
    expect(isFresh(stamp)).toBe(false)
  })

  test('is stale when a source is added or removed', async () => {
    const added = join(folder, 'server', 'added.ts')
    await writeFile(added, '')
    expect(isFresh(stamp)).toBe(false)
    await rm(added)
    expect(isFresh(stamp)).toBe(true)
    await rm(source)
    expect(isFresh(stamp)).toBe(false)
  })

  test('is stale without a readable stamp', async () => {
    await writeFile(stamp, 'a hash alone, as earlier versions wrote')
    expect(isFresh(stamp)).toBe(false)
    expect(isFresh(join(folder, 'none'))).toBe(false)
  })
})

const mostBytes = 45e6

test.skipIf(!isBuilt)(
  'no two files of the built pages have the same content, and all of them stay small',
  async () => {
    const entries = await readdir('dist/web', { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const byContent = new Map<string, string[]>()
    let bytes = 0
    for (const path of paths) {
      const content = await readFile(path)
      bytes += content.length
      const digest = createHash('sha256').update(content).digest('hex')
      byContent.set(digest, [...(byContent.get(digest) ?? []), path])
    }
    expect([...byContent.values()].filter(({ length }) => length > 1)).toEqual([])
    expect(bytes).toBeLessThan(mostBytes)
    expect(paths.length).toBeGreaterThan(100)
  },
)
