import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '#shared/client/client.ts'
import { examplesOf, readPage } from '../support/document-pages.ts'
import { fakeJpeg } from '../support/drawn/fake-picture.ts'
import { startHost } from '../support/host.ts'

const page = readPage('docs/calls.md')
const [, section = ''] = page.text.split('## Ten calls by curl\n')
const script = examplesOf({ ...page, text: section.split('\n## ')[0]! }, 'sh')
  .join('\n')
  .replace(/^export .*$/m, '')
const hasCurl = spawnSync('curl', ['--version']).status === 0

test('shows ten calls by curl', () => {
  expect(script.match(/^\w+=\$\(curl|^curl| \|$\n +curl/gm)).toHaveLength(10)
})

test.skipIf(!hasCurl)('each call by curl is answered as the page says', async () => {
  const host = await startHost()
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-curl-'))
  writeFileSync(join(folder, 'portrait.jpg'), fakeJpeg({ person: 'anna' }))
  const { apiKey } = await createClient({ origin: host.origin, apiKey: host.apiKey }).configuration.createKey(
    {
      name: 'curl',
      scopes: ['admin', 'configure'],
      mode: 'test',
    },
  )
  const env = { PATH: process.env.PATH, SELFSAME_URL: host.origin, SELFSAME_API_KEY: apiKey }
  const shell = spawn(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', script.replaceAll('curl -sS', 'curl -sSf')],
    { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const said: Buffer[] = []
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk))
  const [code] = (await once(shell, 'close')) as [number]
  const text = Buffer.concat(said).toString()
  expect(text).toContain('"verificationResult":"Pass"')
  expect(text).toContain('"hasFace":true')
  expect(code).toBe(0)
  rmSync(folder, { recursive: true })
  await host.close()
})
