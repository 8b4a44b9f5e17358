import '../../long-alone.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverProgram } from '../../support/programs/server-program.ts'

let folder: string
let child: ChildProcess | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-https-'))
})
afterAll(async () => {
  if (child?.exitCode === null) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

function start(env: Record<string, string>): ChildProcess {
  child = spawn(process.execPath, [...serverProgram('main'), '--https'], {
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return child
}

/** The status at an address with an untrusted certificate, and whether that certificate is the one in a stored file. */
function look(address: string): Promise<{ status: number | undefined; location: string | undefined }> {
  return new Promise((told, failed) => {
    get(address, { rejectUnauthorized: false }, (answer) => {
      answer.resume()
      told({ status: answer.statusCode, location: answer.headers.location })
    }).on('error', failed)
  })
}

test('a start with --https serves over TLS, prints a code, and says what will not work', async () => {
  const server = start({ HOST: '127.0.0.1' })
  server.stderr!.resume()
  const lines: string[] = []
  for await (const line of createInterface({ input: server.stdout! })) {
    lines.push(line)
    if (line.includes('try things out')) break
  }
  const origin = /^Selfsame is ready at (https:\/\/127\.0\.0\.1:\d+)\/$/m.exec(lines.join('\n'))![1]!
  expect(lines).toContain(`${origin}/demo`)
  expect(lines.filter((line) => /[█▀▄]{3}/.test(line)).length).toBeGreaterThan(10)
  expect(lines.join('\n')).toContain('passkeys')
  expect(await look(`${origin}/`)).toEqual({ status: 302, location: '/demo' })
  expect((await stat(join(folder, 'https-trial.pem'))).mode & 0o777).toBe(0o600)
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
})

test('a server with a public address refuses to start this way', async () => {
  const server = start({ PUBLIC_URL: 'https://check.example' })
  let errors = ''
  server.stderr!.on('data', (text) => {
    errors += text
  })
  const [code] = await once(server, 'close')
  expect([code, errors]).toEqual([1, expect.stringContaining('PUBLIC_URL is set')])
})
