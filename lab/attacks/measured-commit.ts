import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

/** The sources of the attacked product. */
const productPaths = [
  ...['build', 'models', 'server', 'shared', 'web', 'workers'],
  ...['build.ts', 'vite.config.ts', 'package-lock.json'],
]

/** Everything that can affect how well an attack works: the product's sources, and the attack's sources with all of their imports. */
export const measuredPaths = [
  ...productPaths,
  ...['lab/attacks', 'lab/child.ts', 'lab/rivals', 'lab/csv.ts', 'lab/progress.ts'],
  ...[
    'lab/pictures',
    'lab/statistics',
    'e2e/support/acted',
    'e2e/support/browser.ts',
    'e2e/support/made-once.ts',
  ],
  ...[
    'e2e/support/product.ts',
    'tests/support/authenticator.ts',
    'tests/support/drawn',
    'tests/support/visit.ts',
  ],
  ...['tests/support/kiosk-device.ts', 'tests/support/real-analysis.ts'],
]

/** Parts of these paths that no attack reaches: operators' pages, translations, and the report itself. */
const others = [
  ...['web/console', 'web/console.html', 'web/preview', 'web/preview.html', 'web/console-preview.html'],
  ...['**/wording/**', '**/*.md', 'lab/attacks/recorded.json', 'lab/attacks/report'],
]

const measured = [
  ...measuredPaths,
  ...others.map((path) => `:(exclude${path.includes('*') ? ',glob' : ''})${path}`),
]

/** The state of the sources that some figures were measured with. */
export interface MeasuredState {
  /** The last commit that changed a measured source, so that figures keep their commit if only wording changes. */
  readonly commit: string
  /** A hash of the contents, which survives merges and can be computed in a clone without history. */
  readonly sources: string
}

/** The product's files that differ from a commit, one per line. Empty if there are none. */
export function changedProduct(commit: string, folder = '.'): string {
  const words = ['diff', '--name-only', commit, '--', ...productPaths]
  return execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim()
}

/** @throws if the sources differ from their commit, because others must be able to check out exactly what was measured */
export function measuredState(folder = '.'): MeasuredState {
  const git = (...words: string[]) =>
    execFileSync('git', [...words, '--', ...measured], { cwd: folder, encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', '--untracked-files=all')
  if (changed !== '') throw new Error(`The measured sources differ from their commit:\n${changed}`)
  const contents = git('ls-files', '--stage')
  return {
    commit: git('log', '-1', '--format=%h'),
    sources: createHash('sha256').update(contents).digest('hex').slice(0, 16),
  }
}
