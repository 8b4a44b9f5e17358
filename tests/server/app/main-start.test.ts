import '../../long-alone.ts'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey, getKeys } from '#shared/contract/account/account.ts'
import { createVerification, getVerification } from '#shared/contract/configuration/verification.ts'
import { newMaker } from '../../support/passkeys/makers.ts'
import {
  launch,
  type ServerProcess,
  startProcess,
  stillLoading,
} from '../../support/programs/server-process.ts'

let folder: string
const children: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-start-'))
})
afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startProcess(env)
  children.push(server.child)
  return server
}

/** The output of a start that exits on its own. */
async function saidBy(env: Record<string, string>) {
  const child = launch(env)
  children.push(child)
  let [out, err] = ['', '']
  child.stdout!.on('data', (text) => {
    out += text
  })
  child.stderr!.on('data', (text) => {
    err += text
  })
  const [code] = await once(child, 'close')
  return { code, out, err }
}

const readyStatus = (server: ServerProcess) => fetch(`${server.origins[0]}/v1/readyz`)

test('a start on an occupied port prints the first key before it fails, and the next one uses it', async () => {
  const DATA_DIR = join(folder, 'taken')
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const PORT = String((taken.address() as AddressInfo).port)
  const said = await saidBy({ DATA_DIR, PORT })
  taken.close()
  expect([said.code, said.err]).toEqual([1, expect.stringContaining(`Port ${PORT} is in use`)])
  const apiKey = /^API key: (\S{43})$/m.exec(said.out)?.[1]
  const server = await start({ ...stillLoading, DATA_DIR })
  expect(server.lines).toContain('API key: printed at the first start')
  const made = await server.call(createKey, { apiKey: apiKey!, body: { name: 'Second', scopes: [] } })
  expect(made.apiKey).not.toBe('')
  await server.stop('SIGKILL')
})

test('the first key may be configured, and is then never printed', async () => {
  const FIRST_API_KEY = 'a-key-of-forty-three-characters-made-at-ran'
  const server = await start({ ...stillLoading, DATA_DIR: join(folder, 'given'), FIRST_API_KEY })
  expect(server.lines[0]).toBe('API key: the value of FIRST_API_KEY')
  expect(server.lines.join()).not.toContain(FIRST_API_KEY)
  await server.call(createKey, { apiKey: FIRST_API_KEY, body: { name: 'Second', scopes: [] } })
  await server.stop('SIGKILL')
})

test('webhooks of a new deployment carry a key without scopes, or the first key if that is configured', async () => {
  const keysOf = async (name: string, env: Record<string, string>) => {
    const FIRST_API_KEY = 'a-key-of-forty-three-characters-made-at-ran'
    const server = await start({ ...stillLoading, DATA_DIR: join(folder, name), FIRST_API_KEY, ...env })
    const { keys } = await server.call(getKeys, { apiKey: FIRST_API_KEY })
    await server.stop('SIGKILL')
    const line = server.lines.find((one) => one.startsWith('Webhooks of verifications carry this key'))
    return { told: line !== undefined, primary: keys.find(({ isPrimary }) => isPrimary)?.scopes.length }
  }
  expect(await keysOf('apart', {})).toEqual({ told: true, primary: 0 })
  const first = await keysOf('as before', { WEBHOOK_API_KEY: 'first' })
  expect(first.told).toBe(false)
  expect(first.primary).toBeGreaterThan(0)
})

test('warnings are JSON lines with a code, like the log', async () => {
  const server = await start({
    ...stillLoading,
    DATA_DIR: join(folder, 'warned'),
    CORS_ORIGINS: '*',
    LOG_LEVEL: 'error',
  })
  let said = ''
  server.child.stderr!.on('data', (text) => {
    said += text
  })
  const linesOf = () => said.split('\n').filter((line) => line !== '')
  await expect.poll(() => linesOf().map((line) => JSON.parse(line).warning)).toContain('cors_any')
  expect(JSON.parse(linesOf()[0]!)).toEqual({
    level: 'warn',
    time: expect.any(String),
    warning: 'cors_any',
    msg: expect.stringContaining('CORS_ORIGINS'),
  })
  await server.stop('SIGKILL')
})

test('only the owner can access the folder and the files of the store', async () => {
  const DATA_DIR = join(folder, 'modes')
  const server = await start({ ...stillLoading, DATA_DIR })
  const modeOf = async (...path: string[]) => (await stat(join(DATA_DIR, ...path))).mode & 0o777
  expect(await Promise.all([modeOf(), modeOf('store')])).toEqual([0o700, 0o700])
  expect(await Promise.all([modeOf('store', 'data.mdb'), modeOf('store', 'lock.mdb')])).toEqual([
    0o600, 0o600,
  ])
  const name = 'Opening an account at the bank'
  const verificationConfig = { webhookConfig: { eventCallbackUrl: 'https://hooks.bank.example/' } }
  await server.call(createVerification, { body: { name, verificationConfig } })
  await server.stop('SIGTERM')
  const file = await readFile(join(DATA_DIR, 'store', 'data.mdb'))
  expect(
    [name, 'hooks.bank.example', 'My account', 'First key'].filter((text) => file.includes(text)),
  ).toEqual([])
})

test('SIGTERM drains: readyz reports it, calls are still answered, and then the port closes', async () => {
  const server = await start({ DATA_DIR: join(folder, 'drained'), DRAIN_SECONDS: '3' })
  await server.ready()
  const stopped = server.stop('SIGTERM')
  await expect.poll(async () => (await readyStatus(server)).status, { interval: 50 }).toBe(503)
  expect(await (await readyStatus(server)).text()).toContain('The server is stopping.')
  await server.call(createKey, { body: { name: 'Late', scopes: [] } })
  expect(await stopped).toBe(0)
  await expect(readyStatus(server)).rejects.toThrow()
})

test('a start compares the audit logs with their external heads, and warns', async () => {
  const DATA_DIR = join(folder, 'compared')
  const heads = join(folder, 'heads')
  await writeFile(heads, '{"time":"","accountId":"taken-away","sequence":3,"hash":"h"}\n')
  const server = await start({ ...stillLoading, DATA_DIR, AUDIT_HEADS: `file:${heads}` })
  let said = ''
  server.child.stderr!.on('data', (text) => {
    said += text
  })
  await expect.poll(() => said).toContain('"warning":"audit_rolled_back"')
  expect(said).toContain('taken-away: accountMissing')
  await expect.poll(() => readFile(heads, 'utf8')).toMatch(/"sequence":1,/)
  await server.stop('SIGKILL')
})

test('the code of the console is printed on request, as long as the account has no people, and never logged', async () => {
  const DATA_DIR = join(folder, 'console')
  const silent = await start({ ...stillLoading, DATA_DIR })
  const said = silent.lines.join('\n')
  expect(said).toMatch(/^Console: http:\/\/localhost:\d+\/console$/m)
  expect(said).toContain('npm run account -- invite NAME --role owner')
  await silent.stop('SIGKILL')
  const asked = await start({ ...stillLoading, DATA_DIR, PRINT_CONSOLE_CODE: 'on' })
  const code = /^Console: http:\/\/localhost:\d+\/console#([\w-]{43})$/m.exec(asked.lines.join('\n'))?.[1]
  const begun = await fetch(`${asked.origins[0]}/console/api/invitation/begin`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: asked.origins[0]!.replace('127.0.0.1', 'localhost'),
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ code, name: 'Ada' }),
  })
  expect(await begun.json()).toMatchObject({ role: 'owner', accountName: 'My account' })
  await asked.stop('SIGKILL')
})

test('a malformed list of revoked devices ends the start; a running server warns, keeps the last good one, and recovers', async () => {
  const PASSKEY_REVOKED = join(folder, 'revoked.json')
  const METRICS_TOKEN = 'a-token-for-the-collector'
  const env = { ...stillLoading, DATA_DIR: join(folder, 'revoked'), PASSKEY_REVOKED, METRICS_TOKEN }
  await writeFile(PASSKEY_REVOKED, '{ "serials": ["a1"] }')
  const said = await saidBy(env)
  expect([said.code, said.err]).toEqual([1, expect.stringContaining('PASSKEY_REVOKED: ')])

  await writeFile(PASSKEY_REVOKED, '{ "serialNumbers": ["a1"] }')
  const server = await start(env)
  let log = ''
  server.child.stderr!.on('data', (text) => {
    log += text
  })
  const isCurrent = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const page = await (await fetch(`${server.origins[0]}/metrics`, { headers })).text()
    return /^selfsame_revoked_devices_current (\S+)$/m.exec(page)?.[1]
  }
  expect(await isCurrent()).toBe('1')
  await writeFile(PASSKEY_REVOKED, '{ "serialNumbers": [')
  await expect.poll(isCurrent, { timeout: 15_000, interval: 500 }).toBe('0')
  expect(log.match(/"warning":"revoked_devices_unread"/g)).toHaveLength(1)
  await writeFile(PASSKEY_REVOKED, '{}')
  await expect.poll(isCurrent, { timeout: 15_000, interval: 500 }).toBe('1')
  await server.stop('SIGKILL')
})

test('an expired root ends the start; without roots it warns of a verification that requires high', async () => {
  const roots = join(folder, 'roots')
  await mkdir(roots)
  await writeFile(join(roots, 'old.pem'), (await newMaker('Old', { from: -9, to: -1 })).pem)
  const DATA_DIR = join(folder, 'high')
  const said = await saidBy({ DATA_DIR, PASSKEY_ROOTS: roots })
  expect([said.code, said.err]).toEqual([1, expect.stringContaining('PASSKEY_ROOTS: old.pem expired on ')])

  await writeFile(join(roots, 'old.pem'), (await newMaker('New')).pem)
  const trusting = await start({ ...stillLoading, DATA_DIR, PASSKEY_ROOTS: roots })
  const warned = (server: ServerProcess) => {
    let text = ''
    server.child.stderr!.on('data', (chunk) => {
      text += chunk
    })
    return () => text
  }
  const liveness = { type: 'Verification' as const, leastAssurance: 'high' as const }
  const body = { name: 'Vault', verificationConfig: { verifierConfigs: { liveness } } }
  const { apiKey } = trusting
  const { verificationId } = await trusting.call(createVerification, { body })
  await trusting.stop('SIGKILL')

  const again = await start({ DATA_DIR, PASSKEY_ROOTS: roots })
  const nothing = warned(again)
  await again.ready()
  await again.stop('SIGKILL')
  expect(nothing()).not.toContain('high_out_of_reach')

  const untrusting = await start({ DATA_DIR })
  const told = warned(untrusting)
  await untrusting.ready()
  const read = await untrusting.call(getVerification, { apiKey, query: { verificationId } })
  await untrusting.stop('SIGKILL')
  expect(read.verification.verificationConfig).toMatchObject(body.verificationConfig)
  expect(told()).toContain('high_out_of_reach')
  expect(told()).toContain(verificationId)
})
