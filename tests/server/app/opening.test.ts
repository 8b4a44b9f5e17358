import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountProgram, collectionProgram } from '#server/app/command/programs.ts'
import { runCommand } from '#server/app/command/run.ts'
import { runBackup } from '#server/app/command/run-backup.ts'
import { readSettings } from '#server/app/settings.ts'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { hasRedisServer, needsRedisServer, startRedisServer } from '../../support/programs/redis-server.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'selfsame-no-store-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function said(
  run: typeof runCommand | typeof runBackup,
  env: Record<string, string>,
  ...rest: unknown[]
) {
  const errors: string[] = []
  const io = {
    write: () => undefined,
    error: (text: string) => errors.push(text),
    ask: async () => 'a passphrase of many letters',
  }
  const code = await (run as (...given: unknown[]) => Promise<number>)(...rest, () => readSettings(env), io)
  return { code, errors: errors.join('\n') }
}

/** Each command with its arguments. The store is opened before they are checked. */
const commands = [accountProgram, collectionProgram].flatMap((program) =>
  Object.entries(program.commands).map(
    ([name, { subject }]) => [`${program.name} ${name}`, program, [name, ...(subject ? ['x'] : [])]] as const,
  ),
)

describe('without a store', () => {
  it.each(commands)(
    '%s says where it looked and what to set, and creates nothing',
    async (_, program, words) => {
      const dataDir = join(folder, 'mistaken')
      const { code, errors } = await said(runCommand, { DATA_DIR: dataDir }, program, words)
      expect(code).toBe(1)
      expect(errors).toBe(
        `There is no store in ${dataDir}/store. Run the command with the settings of the server: DATA_DIR, and STORE, REGION and SECRET if they are set.`,
      )
      expect(existsSync(dataDir)).toBe(false)
    },
  )

  it('backup create says the same, and writes no file', async () => {
    const dataDir = join(folder, 'mistaken')
    const file = join(folder, 'backup')
    const { code, errors } = await said(runBackup, { DATA_DIR: dataDir }, ['create', file])
    expect([code, errors]).toEqual([1, expect.stringContaining(`There is no store in ${dataDir}/store. `)])
    expect(existsSync(dataDir) || existsSync(file)).toBe(false)
  })

  it('an empty store does not count', async () => {
    const dataDir = join(folder, 'bare')
    mkdirSync(dataDir)
    await openLmdbStore(join(dataDir, 'store')).close()
    const { code, errors } = await said(runCommand, { DATA_DIR: dataDir }, accountProgram, ['list'])
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no store in')])
    expect(existsSync(join(dataDir, 'secret'))).toBe(false)
  })

  it.skipIf(!hasRedisServer)(
    `a Redis server without one is refused and stays unchanged${needsRedisServer}`,
    async () => {
      const redis = await startRedisServer()
      const env = { DATA_DIR: join(folder, 'redis'), STORE: redis.address }
      const { code, errors } = await said(runCommand, env, accountProgram, ['create', 'Shop'])
      expect([code, errors]).toEqual([1, expect.stringContaining('on the Redis server in STORE')])
      expect(existsSync(env.DATA_DIR)).toBe(false)
      const again = await said(runCommand, env, accountProgram, ['create', 'Shop', '--new-store'])
      expect(again).toEqual({ code: 0, errors: '' })
      await redis.stop()
    },
  )

  it('create makes one if asked to', async () => {
    const env = { DATA_DIR: join(folder, 'new') }
    expect((await said(runCommand, env, accountProgram, ['create', 'Shop', '--new-store'])).code).toBe(0)
    expect((await said(runCommand, env, accountProgram, ['list'])).code).toBe(0)
  })
})
