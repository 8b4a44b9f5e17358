import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from '#lab/torture/caller.ts'
import { passSession, shot } from '#lab/torture/whole-session.ts'
import { skippedCode } from '../../build/test-reports.ts'
import { oneOf, readWords } from '../../build/usage.ts'
import { detectFaces } from '../../shared/contract/analysis/face-verification.ts'
import { createVerification } from '../../shared/contract/configuration/verification.ts'
import { createCollection, indexFace, searchFace } from '../../shared/contract/recognition/recognition.ts'
import { type BuiltServer, startBuiltServer } from '../../tests/support/programs/built-server.ts'
import { fetchNode, type Line, otherNodes } from './other-node.ts'

const usage = `Usage: npm run smoke -- [--node 24]

Starts the built server on another version of Node, which npm fetches into .cache: one picture, one session, one
search, the commands, and a stop. If that Node cannot be fetched, exits with ${skippedCode}, or with 1 if CI is set.

  --node   the line: 22 or 24`

const { values } = readWords(usage, { node: { type: 'string', default: '24' } })
const line = Number(oneOf('--node', Object.keys(otherNodes), values.node)) as Line
const node = fetchNode(line)
process.exitCode = node === undefined ? missing() : await tryOn(node)

function missing(): number {
  console.log(`Node ${otherNodes[line]} could not be fetched from the npm registry, so it was not tested.`)
  return process.env.CI === undefined ? skippedCode : 1
}

async function tryOn(node: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-smoke-'))
  const server = await startBuiltServer({ DATA_DIR: folder, LOG_LEVEL: 'warn' }, [], { node })
  try {
    await callAll(server)
    runCommands(node, folder)
    await server.stop()
    assert.equal(server.exitCode(), 0, 'SIGTERM is not obeyed')
    assert.deepEqual(server.log, [], 'there were warnings')
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`Node ${otherNodes[line]}: analysis, session, search, commands and stop work.`)
  return 0
}

async function callAll(server: BuiltServer): Promise<void> {
  while ((await fetch(`${server.origin}/v1/readyz`)).status !== 200) await pause(100)
  assert.match(
    await metricsOf(server),
    new RegExp(`node="v${otherNodes[line]}"`),
    'a different Node is running',
  )
  const caller = callerOf(server.origin, server.apiKey)
  const image = await shot(1)
  assert.equal((await caller.call(detectFaces, { body: { image } })).faces?.length, 1)
  const { verificationId } = await caller.call(createVerification, { body: { name: 'smoke' } })
  await passSession(caller, verificationId, 1)
  const collectionId = 'people'
  await caller.call(createCollection, { body: { collectionId } })
  await caller.call(indexFace, { body: { collectionId, image } })
  assert.equal((await caller.call(searchFace, { body: { collectionId, image } })).hasFace, true)
}

async function metricsOf({ origin, apiKey }: BuiltServer): Promise<string> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `ApiKey ${apiKey}` } })
  return answer.text()
}

function runCommands(node: string, folder: string): void {
  const run = (name: string, ...words: string[]) =>
    execFileSync(node, [`dist/server/${name}.js`, ...words], {
      env: { PATH: process.env.PATH, DATA_DIR: folder },
      encoding: 'utf8',
    })
  const [backup, passphrase] = [join(folder, 'backup'), join(folder, 'passphrase')]
  writeFileSync(passphrase, 'a passphrase of some length')
  assert.match(run('account', 'list'), /My account/)
  assert.match(run('collection', 'list'), /people/)
  assert.match(run('packs', 'list'), /extended/)
  assert.match(run('backup', 'create', backup, '--passphrase-file', passphrase), /Records written/)
  run('backup', 'verify', backup, '--passphrase-file', passphrase)
}
