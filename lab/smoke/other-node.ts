import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** One version from each Node line to test, in addition to the one that runs the checks. */
export const otherNodes = { 22: '22.23.3', 24: '24.21.0' } as const

export type Line = keyof typeof otherNodes

/**
 * Returns the path to this version of Node. npm fetches it once as a package for this kind of machine, without running its scripts. Undefined if it
 * cannot be fetched.
 */
export function fetchNode(line: Line): string | undefined {
  const version = otherNodes[line]
  const folder = resolve('.cache', `node-${version}`)
  const name = `node-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules', name, 'bin', 'node')
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true })
    const words = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
    const where = ['--prefix', folder, `${name}@${version}`]
    spawnSync('npm', ['install', ...words, ...where], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const { status } = spawnSync(program, ['--version'])
  return status === 0 ? program : undefined
}
