import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022']
const environment = ['--lib', 'es2023,dom', '--types', 'node']

export type Resolution = 'bundler' | 'nodenext'

/** Compiles an integrator's programs against the built package. Returns the compiler's messages, which are empty on success. */
export async function compileAsUser(
  programs: Readonly<Record<string, string>>,
  resolution: Resolution,
): Promise<string> {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync(join('.cache', 'user-'))
  try {
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
    const files = Object.keys(programs).map((name) => join(folder, name))
    const modules = [
      '--module',
      resolution === 'bundler' ? 'esnext' : 'nodenext',
      '--moduleResolution',
      resolution,
    ]
    const compiler = ['node_modules/typescript-7/bin/tsc', '--checkers', '1']
    const words = [...compiler, ...options, ...modules, ...environment, ...files]
    return await run(process.execPath, words).then(
      () => '',
      ({ stdout }) => String(stdout),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
