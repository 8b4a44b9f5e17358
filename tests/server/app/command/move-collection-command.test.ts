import '../../../long-alone.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deploy, people } from '../../../support/programs/deployments.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../../../support/programs/postgres-server.ts'
import { serverProgram } from '../../../support/programs/server-program.ts'

describe.skipIf(!hasPostgresServer)(`npm run collection -- move${needsPostgresServer}`, () => {
  let server: PostgresServer
  let folder: string
  let deployed: Awaited<ReturnType<typeof deploy>>
  let alone: typeof deployed
  beforeAll(async () => {
    server = await startPostgresServer()
    folder = await mkdtemp(join(tmpdir(), 'selfsame-move-'))
    deployed = await deploy({ DATA_DIR: join(folder, 'one'), INDEX_SERVERS: server.address })
    alone = await deploy({ DATA_DIR: join(folder, 'two') })
  })
  afterAll(async () => {
    await deployed?.close()
    await alone?.close()
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const rows = async () =>
    Number((await server.sql('SELECT count(*) AS count FROM selfsame_eu_faces.faces'))[0]!.count)

  const gallery = async () =>
    (await server.sql('SELECT id, is_whole FROM selfsame_eu_faces.galleries ORDER BY id DESC LIMIT 1'))[0]!

  test('moves the faces to PostgreSQL and back, and is recorded', async () => {
    await deployed.fill('members', people(700))
    const there = await deployed.run('move', 'members', '--to', 'postgres')
    expect(there).toMatchObject({ code: 0, told: 'The faces of members are searched on PostgreSQL: 700' })
    expect(await rows()).toBe(700)
    expect((await deployed.audit())[0]).toMatchObject({
      operation: 'moveCollection',
      resources: { collectionId: 'members' },
      outcome: 'succeeded',
    })
    const back = await deployed.run('move', 'members', '--to', 'memory')
    expect(back).toMatchObject({ code: 0, told: 'The faces of members are searched in memory' })
    expect(await rows()).toBe(0)
    expect(await deployed.find('members', 699)).toBeDefined()
  })

  test('continues after a killed process', async () => {
    const moving = 4000
    await deployed.fill('killed', people(moving, 10_000))
    const [program, env] = [
      serverProgram('collection'),
      { DATA_DIR: join(folder, 'one'), INDEX_SERVERS: server.address },
    ]
    const words = [...program, 'move', 'killed', '--to', 'postgres']
    const child = spawn(process.execPath, words, { env: { PATH: process.env.PATH, ...env }, stdio: 'ignore' })
    await expect.poll(rows, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0)
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const left = await rows()
    expect(left).toBeLessThan(moving)
    expect(await gallery()).toMatchObject({ is_whole: false })
    const { id } = await gallery()
    expect(await deployed.find('killed', 10_000 + moving - 1)).toBeDefined()
    const again = await deployed.run('move', 'killed', '--to', 'postgres')
    expect(again.told).toContain(`The faces of killed are searched on PostgreSQL: ${moving}`)
    expect(await gallery()).toMatchObject({ id, is_whole: true })
    await deployed.run('move', 'killed', '--to', 'memory')
  })

  test('reports invalid arguments', async () => {
    expect(await deployed.run('move', 'members')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--to must be one of memory, postgres.'),
    })
    const nowhere = await alone.run('move', 'members', '--to', 'postgres')
    expect(nowhere.code).toBe(1)
    expect(nowhere.errors).toContain('Neither STORE nor INDEX_SERVERS names a PostgreSQL server.')
    expect((await deployed.run('move', 'nobody', '--to', 'memory')).code).toBe(1)
  })
})
