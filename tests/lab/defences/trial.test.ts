import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Change } from '#lab/defences/defence.ts'
import { copyTree, type Tree } from '#lab/defences/tree.ts'
import { tryTests } from '#lab/defences/trial.ts'

// Each test starts a separate run. If a test timed out, its change would remain in the copy that the next ones use.
vi.setConfig({ testTimeout: 600_000 })

let tree: Tree
beforeAll(() => {
  tree = copyTree()
})
afterAll(() => {
  tree.remove()
  expect(existsSync(tree.folder)).toBe(false)
})

const source = 'shared/web-address.ts'
const file = 'tests/server/features/sessions/results/redirect.test.ts'
const titles = ['may not be %.60s', 'may be %s']
const check = "if (parts.userInfo) return 'Must not contain user information.'"

const outcomes = (change: Change) => tree.changed([change], () => tryTests(tree.folder, file, titles))

test('the tests pass in an unchanged copy', async () => {
  expect(await tryTests(tree.folder, file, titles)).toEqual(['passed', 'passed'])
})

test.each<[string, Change, readonly string[]]>([
  ['that the test notices', [source, check, ''], ['failed', 'passed']],
  ['that it does not notice', [source, check, `${check} // as before`], ['passed', 'passed']],
  ['with which nothing loads', [source, check, 'if ('], ['not run', 'not run']],
])('a change %s is reported as such, and undone', async (_what, change, expected) => {
  expect(await outcomes(change)).toEqual(expected)
  expect(readFileSync(join(tree.folder, source), 'utf8')).toBe(readFileSync(source, 'utf8'))
})

test('text that does not occur exactly once is refused, and nothing is changed', async () => {
  await expect(outcomes([source, 'return', 'throw'])).rejects.toThrow(/shared\/web-address\.ts has \d+ times/)
  await expect(outcomes([source, 'no such text', ''])).rejects.toThrow('has 0 times')
  expect(readFileSync(join(tree.folder, source), 'utf8')).toBe(readFileSync(source, 'utf8'))
})
