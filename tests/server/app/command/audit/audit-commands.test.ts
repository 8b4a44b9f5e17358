import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountProgram, auditProgram, type Program } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { readSettings } from '#server/app/settings.ts'
import { createAuditLog } from '#server/features/audit/audit-log.ts'
import { createFolderSegments } from '#server/features/audit/segments/folder-segments.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import { eventOf } from '../../../../support/audit/deployment.ts'

let folder: string
let accountId: string
const env = () => ({ DATA_DIR: join(folder, 'data'), SECRET: 's'.repeat(40) })

async function run(program: Program, ...words: string[]) {
  const told: string[] = []
  const code = await runCommand(program, words, () => readSettings(env()), {
    write: (text) => told.push(text),
    error: (text) => told.push(text),
    ask: async () => '',
  })
  return { code, told: told.join('\n') }
}
const audit = (...words: string[]) => run(auditProgram, ...words)

/** Adds entries at a given time the way a server would, and moves them. */
async function addAt(day: string, operation: string): Promise<void> {
  const settings = readSettings(env())
  const { store: behind } = await openStore(settings, () => undefined)
  const { keyRing, store } = await openKeyRing(behind, settings)
  const now = () => Date.parse(day)
  const segments = createFolderSegments(settings.upkeep.auditDir, now)
  const log = createAuditLog({ store, keyRing, segments, now })
  await log.append(accountId, eventOf(operation))
  await log.move('all')
  await store.close()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-audit-command-'))
  const made = await run(accountProgram, 'create', 'Shop', '--new-store', '--json')
  accountId = JSON.parse(made.told).accountId
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('verify walks the log of every account, and fails with the reason if one is invalid', async () => {
  expect(await audit('verify')).toEqual({ code: 0, told: `Shop (${accountId}): whole, 1 entries` })
  await addAt('2026-01-10', 'old')
  await rm(join(env().DATA_DIR, 'audit', accountId), { recursive: true })
  const { code, told } = await audit('verify')
  expect({ code, told }).toEqual({ code: 1, told: `Shop (${accountId}): NOT whole: missing, at entry 1` })
})

test('archive reports the archived days, or that there is nothing old enough', async () => {
  expect(await audit('archive', '--before', '2020-01-01')).toMatchObject({
    code: 0,
    told: expect.stringContaining('nothing to archive'),
  })
  for (const before of [[], ['--before', 'yesterday'], ['--before', '2999-01-01']])
    expect(await audit('archive', ...before)).toMatchObject({
      code: 2,
      told: expect.stringMatching(/--before must/),
    })
  expect(await audit('frobnicate')).toMatchObject({ code: 2 })
})

test('archives go to a folder, are verified, continue in the log, and are recorded in it', async () => {
  const today = new Date().toISOString().slice(0, 10)
  await rm(folder, { recursive: true })
  const made = await run(accountProgram, 'create', 'Shop', '--new-store', '--json')
  accountId = JSON.parse(made.told).accountId
  const settings = readSettings(env())
  const { store: behind } = await openStore(settings, () => undefined)
  const { keyRing, store } = await openKeyRing(behind, settings)
  const now = () => Date.parse('2026-01-10')
  const segments = createFolderSegments(settings.upkeep.auditDir, now)
  const log = createAuditLog({ store, keyRing, segments, now })
  const { operation: _first, ...event } = eventOf('')
  // Simulates an account from that day.
  await rm(join(settings.upkeep.auditDir, accountId), { recursive: true, force: true })
  for await (const { key } of store.list(`audit-outbox/${accountId}`)) await store.remove(key)
  await store.commit(log.begin(accountId, event), [])
  await log.append(accountId, eventOf('old'))
  await log.move('all')
  await store.close()

  const inTheWay = join(folder, 'archives', `${accountId}-000000001-000000002.audit`)
  await mkdir(join(folder, 'archives'))
  await writeFile(inTheWay, 'something else')
  expect(await audit('archive', '--before', today, '--into', join(folder, 'archives'))).toEqual({
    code: 1,
    told: expect.stringMatching(
      /^\S+: .* is not an archive of an audit log\. Nothing was cut\. Move it away/,
    ),
  })
  await rm(inTheWay)
  const written = await audit('archive', '--before', today, '--into', join(folder, 'archives'), '--json')
  expect(written.code).toBe(0)
  const [{ file, first, last }] = JSON.parse(written.told)
  expect([first, last]).toEqual([1, 2])
  expect(await audit('verify', file)).toEqual({
    code: 0,
    told: `${file}: whole, entries 1 to 2 of ${accountId}\nThe log of ${accountId} continues from ${file}.`,
  })
  const whole = await audit('verify')
  expect(whole).toMatchObject({
    code: 0,
    told: expect.stringContaining('after entry 2, which was archived'),
  })
  expect((await run(accountProgram, 'audit')).told).toContain('archiveAuditLog')
  const bytes = await readFile(file)
  bytes[bytes.length - 300]! ^= 1
  await writeFile(file, bytes)
  expect(await audit('verify', file)).toMatchObject({
    code: 1,
    told: expect.stringContaining('is not complete'),
  })
  expect(await audit('verify', `${file}.none`)).toMatchObject({
    code: 1,
    told: expect.stringContaining('does not exist'),
  })
})
