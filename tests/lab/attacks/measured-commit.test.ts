import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { measuredPaths, measuredState } from '#lab/attacks/measured-commit.ts'
import { some } from '../../../e2e/support/length.ts'

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
  test('stays the same while only wording and recorded results change', () => {
    const measured = commit('server/app/main.ts', '1')
    const before = measuredState(folder)
    commit('docs/attacks.md', 'a table')
    commit('lab/attacks/recorded.json', '{}')
    commit('lab/attacks/report/words.ts', 'words')
    commit('web/capture/wording/de.ts', 'words')
    commit('web/console/main.tsx', 'a page of operators')
    commit('tests/server/app/main.test.ts', 'a test')
    expect(before.commit).toBe(measured)
    expect(measuredState(folder)).toEqual(before)
  })

  test('has the same content hash in a clone without history', () => {
    commit('server/app/main.ts', '1')
    const { sources } = measuredState(folder)
    write('server/app/main.ts', '2')
    git('commit', '-qam', 'another')
    commit('server/app/main.ts', '1')
    expect(measuredState(folder).sources).toBe(sources)
  })

  const measured = [
    'server/features/sessions/access/session-rules.ts',
    'package-lock.json',
    'models/rules/pack.ts',
    'shared/limits.ts',
    'workers/node/runtime.ts',
    'web/capture/flow/visit.ts',
    'lab/attacks/instruments/bent.ts',
    'lab/rivals/human.ts',
  ]
  test.each(some(measured, 2))('changes with %s', (file) => {
    commit('server/app/main.ts', '1')
    const { sources } = measuredState(folder)
    const changed = commit(file, '2')
    const after = measuredState(folder)
    expect(after.commit).toBe(changed)
    expect(after.sources).not.toBe(sources)
  })

  test.each(['server/app/main.ts', 'server/new.ts'])('is none where %s differs from it', (file) => {
    commit('server/app/main.ts', '1')
    write(file, '2')
    expect(() => measuredState(folder)).toThrow(file)
  })
})

/** A file and everything it imports, except for types. */
function importedBy(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known
  known.add(file)
  const imports = /^(?:import|export)\s(?!type\b)[^;'"]*?\bfrom '([#.][^']+)'|import\('([#.][^']+)'\)/gm
  for (const [, named, later] of readFileSync(file, 'utf8').matchAll(imports)) {
    const path = (named ?? later)!
    importedBy(path.startsWith('#') ? path.slice(1) : join(dirname(file), path), known)
  }
  return known
}

test('everything that the attacks import is measured', () => {
  const isMeasured = (file: string) =>
    measuredPaths.some((path) => file === path || file.startsWith(`${path}/`))
  const imported = [...importedBy('lab/attacks/attack.ts'), ...importedBy('lab/attacks/part-side.ts')]
  expect(imported.length).toBeGreaterThan(100)
  expect(imported.filter((file) => !isMeasured(file))).toEqual([])
})
