import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

/** The sources of the product under attack. */
const productPaths = [
  ...['build', 'models', 'server', 'shared', 'web', 'workers'],
  ...['build.ts', 'vite.config.ts', 'package-lock.json'],
]

/** All that can change the success of an attack: the product's sources, and those of the attack with all that it imports. */
export const measuredPaths = [
  ...productPaths,
  ...['lab/attacks', 'lab/child.ts', 'lab/rivals', 'lab/evaluate/csv.ts', 'lab/evaluate/progress.ts'],
  ...['lab/evaluate/statistics', 'e2e/support/acted', 'e2e/support/browser.ts', 'e2e/support/made-once.ts'],
  ...[
    'e2e/support/product.ts',
    'tests/support/authenticator.ts',
    'tests/support/drawn',
    'tests/support/visit.ts',
  ],
  ...['tests/support/kiosk-device.ts', 'tests/support/real-analysis.ts'],
]

/** What of that no attack meets: pages of operators, words in whatever language, and the report itself. */
const others = [
  ...['web/console', 'web/console.html', 'web/preview', 'web/preview.html', 'web/console-preview.html'],
  ...['**/wording/**', '**/*.md', 'lab/attacks/recorded.json', 'lab/attacks/report'],
]

const measured = [
  ...measuredPaths,
  ...others.map((path) => `:(exclude${path.includes('*') ? ',glob' : ''})${path}`),
]

/** The state of the sources that figures belong to. */
export interface MeasuredState {
  /** The commit that last changed what is measured, so that figures stay those of their commit while only words change. */
  readonly commit: string
  /** The same by content: it survives a merge, and is known in a clone without history. */
  readonly sources: string
}

/** The files of the product that differ from a commit, one a line; empty if none does. */
export function changedProduct(commit: string, folder = '.'): string {
  const words = ['diff', '--name-only', commit, '--', ...productPaths]
  return execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
}

/** @throws if the sources differ from their commit: a figure has to belong to a state that others can look at */
export function measuredState(folder = '.'): MeasuredState {
  const git = (...words: string[]) =>
    execFileSync('git', [...words, '--', ...measured], { cwd: folder, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--untracked-files=all')
  if (changed !== '') throw new Error(`What is measured differs from its commit:\n${changed}`)
  const contents = git('ls-files', '--stage')
  return {
    commit: git('log', '-1', '--format=%h'),
    sources: createHash('sha256').update(contents).digest('hex').slice(0, 16),
  }
}
