import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { measuredCommit } from '#lab/attacks/measured-commit.ts'

let folder: string
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
const commit = (file: string, text: string) => {
  write(file, text)
  git('add', '.')
  git('commit', '-qm', file)
  return git('rev-parse', '--short', 'HEAD').trim()
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'selfsame-commit-'))
  git('init', '-q')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the commit that figures belong to', () => {
  test('stays the same while only words and what was recorded change', () => {
    const measured = commit('server/main.ts', '1')
    commit('docs/attacks.md', 'a table')
    commit('lab/attacks/recorded.json', '{}')
    commit('lab/attacks/report/words.ts', 'words')
    expect(measuredCommit(folder)).toBe(measured)
  })

  test.each(['models/rules/pack.ts', 'lab/attacks/instruments/bent.ts', 'package-lock.json'])(
    'is another one where %s changes',
    (file) => {
      commit('server/main.ts', '1')
      const changed = commit(file, '2')
      expect(measuredCommit(folder)).toBe(changed)
    },
  )

  test.each(['server/main.ts', 'server/new.ts'])('is none where %s differs from it', (file) => {
    commit('server/main.ts', '1')
    write(file, '2')
    expect(() => measuredCommit(folder)).toThrow(file)
  })
})
