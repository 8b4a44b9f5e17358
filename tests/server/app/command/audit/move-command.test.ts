import '../../../../long-alone.ts'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAuditPlace } from '#server/app/audit-place.ts'
import { accountProgram, auditProgram, type Program } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { runBackup } from '#server/app/command/run-backup.ts'
import { readSettings } from '#server/app/settings.ts'
import { type AuditLog, createAuditLog } from '#server/features/audit/audit-log.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import type { Store } from '#server/platform/store/store.ts'
import { eventOf } from '../../../../support/audit/deployment.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../../support/programs/postgres-server.ts'
import { rememberPassphrases } from '../../../../support/sealed-files/remembered-passphrases.ts'

type Environment = Readonly<Record<string, string>>

rememberPassphrases()

describe.skipIf(!hasPostgresServer)(`an audit log that moves${needsPostgresServer}`, () => {
  let folder: string
  let server: PostgresServer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'selfsame-move-'))
    await writeFile(join(folder, 'passphrase'), 'a passphrase of some length\n')
    server = await startPostgresServer()
    await server.sql('CREATE DATABASE second')
  })
  afterAll(async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const second = () => server.address.replace(/postgres$/, 'second')
  const inFiles = (name: string): Environment => ({
    DATA_DIR: join(folder, name),
    SECRET: 's'.repeat(40),
    JOURNAL_FILE: join(folder, `${name}.journal`),
  })

  async function told(run: (io: Parameters<typeof runCommand>[3]) => Promise<number>) {
    const lines: string[] = []
    const add = (text: string) => void lines.push(text)
    const code = await run({ write: add, error: add, ask: async () => '' })
    return { code, told: lines.join('\n') }
  }
  const run = (env: Environment, program: Program, ...words: string[]) =>
    told((io) => runCommand(program, words, () => readSettings(env), io))
  const audit = (env: Environment, ...words: string[]) => run(env, auditProgram, ...words)
  const backup = (env: Environment, ...words: string[]) =>
    told((io) =>
      runBackup([...words, '--passphrase-file', join(folder, 'passphrase')], () => readSettings(env), io),
    )

  /** Works on the log at a given time, the way a server would. */
  async function at(env: Environment, time: string, work: (log: AuditLog, store: Store) => Promise<unknown>) {
    const settings = readSettings(env)
    const opened = await openStore(settings, () => undefined)
    const { keyRing, store } = await openKeyRing(opened.store, settings)
    const { segments, close } = await openAuditPlace(settings, opened.rows, () => undefined)
    const log = createAuditLog({ store, keyRing, segments, now: () => Date.parse(time) })
    await work(log, store)
    await log.move('all')
    await close()
    await store.close()
  }
  const addEntry = (env: Environment, accountId: string, time: string) =>
    at(env, time, (log) => log.append(accountId, eventOf(`at ${time}`)))

  /** An account with a log that is some time old, and an archive. */
  async function makeOldAccount(env: Environment): Promise<string> {
    const made = await run(env, accountProgram, 'create', 'Shop', '--new-store', '--json')
    const { accountId } = JSON.parse(made.told)
    await rm(join(env.DATA_DIR!, 'audit'), { recursive: true, force: true })
    await at(env, '2026-01-10', async (log, store) => {
      for await (const { key } of store.list(`audit-outbox/${accountId}`)) await store.remove(key)
      const { operation: _first, ...event } = eventOf('')
      await store.commit(log.begin(accountId, event), [])
    })
    await addEntry(env, accountId, '2026-01-10')
    await addEntry(env, accountId, '2026-01-11')
    expect(await audit(env, 'archive', '--before', '2026-01-11')).toMatchObject({ code: 0 })
    return accountId
  }

  test('from files to rows and back is complete at each step, with its archives and its journal, and so is a backup of it', async () => {
    const files = inFiles('files')
    const { DATA_DIR, JOURNAL_FILE } = files as { DATA_DIR: string; JOURNAL_FILE: string }
    const accountId = await makeOldAccount(files)
    const whole = { code: 0, told: expect.stringMatching(/: whole, \d+ entries/) }
    const today = new Date().toISOString().slice(0, 10)
    const key = await run(files, accountProgram, 'create-key', 'till', '--json')
    await run(files, accountProgram, 'revoke-key', JSON.parse(key.told).keyId)
    const lines = (await readFile(JOURNAL_FILE, 'utf8')).split('\n').length - 1
    expect(lines).toBeGreaterThan(0)
    expect(await audit(files, 'move', '--to', 'rows')).toMatchObject({
      code: 2,
      told: expect.stringContaining('AUDIT_DIR'),
    })

    // The folder stays in use until it has been moved.
    const rows: Environment = { ...files, AUDIT_DIR: server.address }
    expect(await audit(rows, 'verify')).toMatchObject(whole)
    await addEntry(rows, accountId, '2026-01-11')
    expect(await audit(rows, 'verify')).toMatchObject(whole)
    expect(await audit(files, 'verify')).toMatchObject({
      code: 1,
      told: expect.stringContaining('NOT whole: missing'),
    })
    const moved = await audit(rows, 'move', '--to', 'rows', '--json')
    expect([moved.code, JSON.parse(moved.told)]).toEqual([
      0,
      { frames: expect.any(Number), archives: 1, journalLines: lines },
    ])
    expect(await readdir(join(DATA_DIR, 'audit'))).toEqual([expect.stringMatching(/^moved\.\d+$/)])
    await rm(join(DATA_DIR, 'audit'), { recursive: true })
    expect(await audit(rows, 'verify')).toMatchObject(whole)
    expect(JSON.parse((await audit(rows, 'move', '--to', 'rows', '--json')).told)).toEqual({
      frames: 0,
      archives: 0,
      journalLines: 0,
    })

    await rm(join(DATA_DIR, 'audit-archives'), { recursive: true })
    const archived = await audit(rows, 'archive', '--before', today)
    expect(archived).toMatchObject({ code: 0 })
    const verified = await audit(rows, 'verify')
    expect(verified.told.match(/: whole, entries \d+ to \d+ of/g)).toHaveLength(2)
    expect(verified).toMatchObject({ code: 0, told: expect.stringContaining('continues from archive') })
    expect(verified.told).toContain('The journal of the database is complete.')
    const path = join(folder, 'backup')
    expect(await backup(rows, 'create', path)).toMatchObject({ code: 0 })

    const restored = inFiles('restored')
    expect(await backup(restored, 'restore', path, '--journal', server.address)).toMatchObject({ code: 0 })
    expect(await audit(restored, 'verify')).toMatchObject(whole)
    expect(await readdir(join(restored.DATA_DIR!, 'audit-archives'))).toHaveLength(2)
    expect(await readFile(restored.JOURNAL_FILE!, 'utf8')).toContain(await readFile(JOURNAL_FILE, 'utf8'))
    const again: Environment = { ...inFiles('again'), AUDIT_DIR: second() }
    expect(await backup(again, 'restore', path, '--journal', JOURNAL_FILE)).toMatchObject({ code: 0 })
    const verifiedAgain = await audit(again, 'verify')
    expect(verifiedAgain.told.match(/: whole, entries \d+ to \d+ of/g)).toHaveLength(2)
    const linesIn = async (database: string) =>
      (
        await server.sqlIn(
          database,
          "SELECT convert_from(line, 'UTF8') AS line FROM selfsame_eu.journal ORDER BY id",
        )
      ).map(({ line }) => line)
    // The restore itself ends links and logs that it did.
    expect((await linesIn('second')).slice(0, lines)).toEqual(await linesIn('postgres'))

    await server.sql('UPDATE selfsame_eu.journal SET line = set_byte(line, 3, 48) WHERE id = 1')
    expect(await audit(rows, 'verify')).toMatchObject({
      code: 1,
      told: expect.stringContaining('The journal was altered at line 1'),
    })
    await server.sql('DELETE FROM selfsame_eu.journal WHERE id = 1')

    const back = { ...rows, JOURNAL_FILE: join(folder, 'back.journal') }
    expect(await audit(back, 'move', '--to', 'files')).toMatchObject({ code: 0 })
    expect(await audit(files, 'verify')).toMatchObject(whole)
    expect((await readFile(back.JOURNAL_FILE, 'utf8')).split('\n').length - 1).toBe(lines - 1)
  })
})
