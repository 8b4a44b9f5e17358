import '../long-alone.ts'
import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { passSession } from '#lab/torture/whole-session.ts'
import { detectFaces } from '#shared/contract/analysis/face-verification.ts'
import { detectLiveness } from '#shared/contract/analysis/liveness.ts'
import { createVerification } from '#shared/contract/configuration/verification.ts'
import { createCollection, indexFace, searchFace } from '#shared/contract/recognition/recognition.ts'
import { isLong, some } from '../../e2e/support/length.ts'
import { startReceiver } from '../support/programs/receiver.ts'
import {
  needsRecorder,
  type Record,
  readRecord,
  recorded,
  skipsRecording,
} from '../support/programs/recorder.ts'
import { type ServerProcess, startProcess } from '../support/programs/server-process.ts'
import { isBuilt, serverProgram } from '../support/programs/server-program.ts'
import { astronaut, bytesOf } from '../support/upload.ts'

/** How long libraries may wait before they send reports, with some margin. The first look-up came within a second, others within 15. */
const quietMilliseconds = 20_000

const skips = skipsRecording || (!isBuilt && process.env.CI === undefined)
const needs = `${needsRecorder}${isBuilt ? '' : ' (needs a build of these very sources)'}`
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A machine without any history: its home and temporary folders are empty, and there are no settings that a library may know. */
function strangeMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-egress-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['home', 'tmp']) mkdirSync(join(folder, name))
  // The recorder cannot see calls that are made through io_uring.
  const env = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp'), UV_USE_IO_URING: '0' }
  return {
    env: { ...env, DATA_DIR: join(folder, 'data'), PATH: process.env.PATH! },
    place: (name: string) => join(folder, name),
    /** Files that were left behind. */
    left: () => ['home', 'tmp'].flatMap((name) => readdirSync(join(folder, name))),
  }
}

function expectNothingLeaves({ strangers, written }: Record, ...folders: readonly string[]): void {
  // A backup is written beside its name until it is whole.
  const isOurs = (path: string) =>
    path === '/dev/null' ||
    folders.some(
      (folder) => path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}.selfsame-`),
    )
  expect(strangers).toEqual([])
  expect(written.filter((path) => !isOurs(path))).toEqual([])
  expect(written.filter(isOurs)).not.toEqual([])
}

async function visit(server: ServerProcess, eventCallbackUrl: string): Promise<void> {
  const { verificationId } = await server.call(createVerification, {
    body: { name: 'Opening an account', verificationConfig: { webhookConfig: { eventCallbackUrl } } },
  })
  await passSession(server, verificationId, 1)
}

async function analyse(server: ServerProcess): Promise<void> {
  const body = { image: bytesOf(astronaut) }
  await server.call(detectFaces, { body })
  await server.call(detectLiveness, { body })
  await server.call(createCollection, { body: { collectionId: 'people' } })
  await server.call(indexFace, { body: { ...body, collectionId: 'people' } })
  expect(await server.call(searchFace, { body: { ...body, collectionId: 'people' } })).toMatchObject({
    hasFace: true,
  })
}

async function read(server: ServerProcess): Promise<void> {
  for (const path of ['/', '/demo', '/console', '/kiosk', '/swagger', '/openapi.json', '/v1/readyz'])
    await fetch(`${server.origins[0]}${path}`).then((answer) => answer.arrayBuffer())
}

async function run(command: readonly string[], record: string, options: SpawnOptions): Promise<Record> {
  const child = spawn('strace', recorded(record, command), { ...options, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  return readRecord(record)
}

describe.skipIf(skips)(`on a machine that it does not know${needs}`, () => {
  test('the server contacts only the configured addresses and names, and writes only to DATA_DIR', async () => {
    const machine = strangeMachine()
    const receiver = await startReceiver()
    closers.push(receiver.close)
    const server = await startProcess(machine.env, machine.place('record'))
    closers.push(() => server.child.kill('SIGKILL'))
    await server.ready()
    await analyse(server)
    await visit(server, receiver.address)
    await read(server)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    await pause(quietMilliseconds)
    expect(await server.stop('SIGTERM')).toBe(0)
    expectNothingLeaves(await readRecord(machine.place('record')), machine.env.DATA_DIR)
    expect(machine.left()).toEqual([])
  })

  test('the commands contact and write nothing else', async () => {
    const machine = strangeMachine()
    const { env, place } = machine
    writeFileSync(place('passphrase'), 'a passphrase of some length')
    const commands: (readonly [Parameters<typeof serverProgram>[0], ...string[]])[] = [
      ['account', 'create', 'Shop', '--new-store'],
      ['collection', 'list'],
      ['backup', 'create', place('backup'), '--passphrase-file', place('passphrase')],
      ['account', 'list'],
      ['packs', 'list'],
      ['backup', 'verify', place('backup'), '--passphrase-file', place('passphrase')],
    ]
    const seen: Record[] = []
    for (const [name, ...words] of some(commands, 3)) {
      const command = [process.execPath, ...serverProgram(name), ...words]
      seen.push(await run(command, place(`record-${seen.length}`), { env }))
    }
    const all = (read: (record: Record) => readonly string[]) => seen.flatMap(read)
    expectNothingLeaves(
      { strangers: all(({ strangers }) => strangers), written: all(({ written }) => written) },
      env.DATA_DIR,
      place('backup'),
    )
    expect(machine.left()).toEqual([])
  })

  // Checked separately, because npm itself may make requests.
  test('npm, which starts them, does not check for a newer npm', async () => {
    const { env, place } = strangeMachine()
    const { strangers } = await run(['npm', 'run', 'build', '--', '--help'], place('record'), { env })
    expect(strangers).toEqual([])
  })

  if (isLong)
    test('the tests, which load the networks themselves, contact no one', async () => {
      const { env, place } = strangeMachine()
      const file = 'tests/workers/node/onnx/native-graph.test.ts'
      const words = ['node_modules/vitest/vitest.mjs', 'run', file]
      const { strangers } = await run([process.execPath, ...words], place('record'), { env })
      expect(strangers).toEqual([])
      expect(readdirSync(place('home'))).toEqual([])
    })
})
