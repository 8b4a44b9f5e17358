import { execFileSync } from 'node:child_process'

/** All that can change what an attack gets; the words of the report and what was recorded cannot. */
const measured = [
  ...['server', 'models', 'shared', 'workers', 'web', 'lab/attacks', 'e2e/support', 'tests/support'],
  ...['package-lock.json', ':(exclude)lab/attacks/recorded.json', ':(exclude)lab/attacks/report'],
]

/**
 * The commit that last changed what is measured, so that figures stay those of their commit while only words change.
 *
 * @throws where the sources differ from it: a figure has to belong to a state that others can look at
 */
export function measuredCommit(folder = '.'): string {
  const git = (...words: string[]) =>
    execFileSync('git', [...words, '--', ...measured], { cwd: folder, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--untracked-files=all')
  if (changed !== '') throw new Error(`What is measured differs from its commit:\n${changed}`)
  return git('log', '-1', '--format=%h')
}
