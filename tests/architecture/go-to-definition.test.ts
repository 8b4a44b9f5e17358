import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const sessions = 'server/features/sessions'
const judging = `${sessions}/judging`

/** Goes from a call in one file to the called function's declaration, the way an editor finds it. */
const jumps: readonly (readonly [from: string, call: string, to: string])[] = [
  ['server/features/kiosks/capture-submission.ts', 'services.submit(', `${judging}/submit.ts`],
  [`${sessions}/endpoints/submit-session.ts`, 'submit(', `${judging}/submit.ts`],
  [`${judging}/submit.ts`, 'analyseSubmission(', `${sessions}/pictures/analyse-submission.ts`],
  [`${judging}/submit.ts`, 'commitOutcome(', `${judging}/commit-outcome.ts`],
  [`${judging}/commit-outcome.ts`, 'transaction.commit(', 'server/platform/store/transaction.ts'],
]

const service = languageService(jumps.map(([from]) => from))

describe('go to definition', () => {
  test.each(jumps)('leads from %s by %s) to %s, where it is created as well', (from, call, to) => {
    const text = readFileSync(join(root, from), 'utf8')
    const at = text.search(new RegExp(`(?<![\\w.])${call.replace(/[.(]/g, '\\$&')}`))
    expect(at).toBeGreaterThan(0)
    const name = at + call.lastIndexOf('.') + 1
    const found = [
      ...(service.getTypeDefinitionAtPosition(join(root, from), name) ?? []),
      ...(service.getDefinitionAtPosition(join(root, from), name) ?? []),
    ]
    expect(found.map(({ fileName }) => relative(root, fileName))).toContain(to)
    const made = call.replace(/\(|.*\./g, '')
    expect(readFileSync(join(root, to), 'utf8')).toMatch(
      new RegExp(`function create${made[0]!.toUpperCase()}${made.slice(1)}\\b|${made}\\(`),
    )
  })
})

/** An editor's view of these files and everything they import. */
function languageService(paths: readonly string[]): ts.LanguageService {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [...paths] }, ts.sys, root)
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => paths.map((path) => join(root, path)),
    getScriptVersion: () => '0',
    getScriptSnapshot: (path) =>
      ts.sys.fileExists(path) ? ts.ScriptSnapshot.fromString(readFileSync(path, 'utf8')) : undefined,
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory },
    ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories },
  })
}
