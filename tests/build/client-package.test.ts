import '../long-alone.ts'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuiltClient } from '../support/programs/built-client.ts'

const run = promisify(execFile)
const program = `import { createClient, type VerificationConfig } from 'selfsame/client'
import type { openVerification } from 'selfsame/embed'
import description from 'selfsame/openapi.json' with { type: 'json' }
const verificationConfig: VerificationConfig = { verifierConfigs: { liveness: { type: 'Verification' } } }
const client = createClient({ origin: 'https://check.example', apiKey: 'k' })
export type Opens = typeof openVerification
console.log(description.info.title, typeof client.configuration.createVerification, Object.keys(verificationConfig).length)
`

/** Someone else's project, with the packed client and the packages that npm would install along with it. */
let folder: string
beforeAll(async () => {
  await ensureBuiltClient()
  mkdirSync('.cache', { recursive: true })
  folder = mkdtempSync(resolve('.cache/packed-'))
  const { stdout } = await run('npm', ['pack', resolve('dist/client'), '--json', '--loglevel=error'], {
    cwd: folder,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  const installed = join(folder, 'node_modules/selfsame')
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed])
  for (const name of ['valibot', '@types'])
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), program)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('the packed client compiles strictly, and runs, without anything of the server', async () => {
  const compiler = resolve('node_modules/typescript-7/bin/tsc')
  const words = [
    '--ignoreConfig',
    '--checkers',
    '1',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--types',
    'node',
  ]
  await run(
    process.execPath,
    [compiler, ...words, '--resolveJsonModule', '--lib', 'es2023,dom', 'program.ts'],
    {
      cwd: folder,
    },
  )
  const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder })
  expect(stdout.trim()).toBe('Selfsame function 1')
})

test('the packed client depends only on what its types need, and states its version', () => {
  const packed = JSON.parse(readFileSync(join(folder, 'node_modules/selfsame/package.json'), 'utf8'))
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(packed).toMatchObject({ name: 'selfsame', version, license })
  expect(Object.keys(packed.dependencies)).toEqual(['valibot'])
  expect(packed).not.toHaveProperty('private')
  expect(Object.keys(packed.exports)).toEqual([
    './client',
    './embed',
    './element',
    './react',
    './openapi.json',
  ])
})
