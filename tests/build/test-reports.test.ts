import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readPlaywright, readVitest } from '../../build/test-reports.ts'

const folder = mkdtempSync(join(tmpdir(), 'selfsame-reports-'))
afterAll(() => rmSync(folder, { recursive: true }))

function written(report: unknown): string {
  const path = join(folder, 'report.json')
  writeFileSync(path, typeof report === 'string' ? report : JSON.stringify(report))
  return path
}

describe('the report of vitest', () => {
  const file = (name: string, seconds: number, status = 'passed', results: string[] = ['passed']) => ({
    name: `/somewhere/tests/${name}`,
    seconds,
    status,
    assertionResults: results.map((result, i) => ({ fullName: `${name} ${i}`, status: result })),
  })
  const reportOf = (...testResults: unknown[]) =>
    written({ numPassedTests: 5, numFailedTests: 1, testResults })

  test('counts a file that does not load as a failure, and names skipped tests', () => {
    const path = reportOf(file('a', 1, 'failed', []), file('b', 1, 'passed', ['passed', 'pending']))
    expect(readVitest(path)).toMatchObject({ passed: 5, failed: 2, broken: ['tests/a'], skipped: ['b 1'] })
  })

  test('names failed tests', () => {
    const path = reportOf(file('a', 1, 'failed', ['passed', 'failed']))
    expect(readVitest(path)).toMatchObject({ failed: 1, broken: ['a 1'] })
  })

  test('shows the beginning of the reason of a failure', () => {
    const failureMessages = ['\u001b[31mError\u001b[39m: wrong\n\n at once\n1\n2\n3\n4\n5']
    const failed = { fullName: 'a 1', status: 'failed', failureMessages }
    const path = reportOf({ ...file('a', 1, 'failed'), assertionResults: [failed] })
    const lines = ['a 1', '    Error: wrong', '     at once', '    1', '    2', '    3', '    4']
    expect(readVitest(path)!.broken).toEqual([lines.join('\n')])
  })

  test('names the ten slowest files, the slowest first', () => {
    const files = Array.from({ length: 12 }, (_, i) => file(`${i}`, i + 1))
    const { slowest } = readVitest(reportOf(...files))!
    expect(slowest).toHaveLength(10)
    expect(slowest[0]).toEqual({ title: 'tests/11', seconds: 12 })
    expect(slowest.at(-1)).toEqual({ title: 'tests/2', seconds: 3 })
  })
})

describe('the report of Playwright', () => {
  const spec = (title: string, status: string, durations: number[], annotations: unknown[] = []) => ({
    title,
    tests: [{ status, annotations, results: durations.map((duration) => ({ duration })) }],
  })
  const stats = { expected: 2, unexpected: 1, flaky: 1 }

  test('counts errors outside tests as failures, and names skipped tests with the reason', () => {
    const why = { type: 'skip', description: 'needs footage' }
    const suites = [
      { title: 'file', specs: [spec('a', 'skipped', [], [why])], suites: [] },
      { title: 'file', suites: [{ title: 'inner', specs: [spec('b', 'skipped', [])] }] },
    ]
    const report = readPlaywright(written({ stats, errors: [{}], suites }))
    expect(report).toMatchObject({
      passed: 3,
      failed: 2,
      skipped: ['file: a (needs footage)', 'inner: b'],
    })
  })

  test('shows why a test failed in its last attempt', () => {
    const results = [
      { duration: 1, error: { message: 'first' } },
      { duration: 1, error: { message: 'then' } },
    ]
    const failed = { title: 'a', tests: [{ status: 'unexpected', results }] }
    const report = readPlaywright(written({ stats, suites: [{ title: 'file', specs: [failed] }] }))
    expect(report!.broken).toEqual(['file: a\n    then'])
  })

  test('names the slowest files, with all their tests and all attempts', () => {
    const inner = { title: 'inner', specs: [spec('wrong', 'unexpected', [50])] }
    const again = { title: 'again.test.ts', specs: [spec('tried again', 'flaky', [2000, 3000])] }
    const several = {
      title: 'several.test.ts',
      specs: [spec('slow', 'expected', [4000]), spec('slower', 'expected', [4000])],
      suites: [inner],
    }
    const { slowest, broken } = readPlaywright(written({ stats, suites: [again, several] }))!
    expect(broken).toEqual(['inner: wrong'])
    expect(slowest).toEqual([
      { title: 'several.test.ts', seconds: 8.05 },
      { title: 'again.test.ts', seconds: 5 },
    ])
  })
})

test('a truncated report is rejected', () => {
  expect(readVitest(written('{"numPassed'))).toBeUndefined()
  expect(readPlaywright(join(folder, 'absent.json'))).toBeUndefined()
})
