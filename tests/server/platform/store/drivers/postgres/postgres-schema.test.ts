import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore } from '#server/platform/store/drivers/postgres/postgres.ts'
import {
  type Migration,
  readMigrations,
  refusalOfServer,
} from '#server/platform/store/drivers/postgres/postgres-schema.ts'
import { putOf } from '#server/platform/store/store.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  newFolder,
  type PostgresServer,
  runProgram,
  startPostgresServer,
} from '../../../../../support/programs/postgres-server.ts'

/** The newest version that this program supports. */
const newest = readMigrations().length

const later = (leastReader: number): Migration => ({
  number: newest + 1,
  name: 'planted',
  sql: 'CREATE TABLE planted (id integer)',
  leastReader,
})

describe.skipIf(!hasPostgresServer)(`the schema on a PostgreSQL server${needsPostgresServer}`, () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgresServer()
    for (const role of ['keeper', 'runner', 'stranger']) await server.sql(`CREATE ROLE ${role} LOGIN`)
    await server.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
  })
  afterAll(() => server?.stop())

  const as = (role: string, database = 'postgres') =>
    `postgres://${role}@127.0.0.1:${server.port}/${database}`
  const open = (tag: string, migrations?: readonly Migration[], address = server.address) =>
    openPostgresStore(address, { tag, onFailure: () => undefined, ...(migrations && { migrations }) })
  const appliedIn = async (schema: string) =>
    (await server.sql(`SELECT number FROM ${schema}.migrations ORDER BY number`)).map(({ number }) => number)

  test('a migration may take longer than any other statement', async () => {
    const slow = { ...later(1), sql: 'SELECT pg_sleep(2)' }
    const store = await open('slow', [...readMigrations(), slow], `${server.address}?statement_timeout=200`)
    expect(await appliedIn('selfsame_slow')).toContain(slow.number)
    await store.close()
  })

  test('is created once by eight processes that start at once', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open('eight')))
    expect(await appliedIn('selfsame_eight')).toEqual(readMigrations().map(({ number }) => number))
    await Promise.all(stores.map((store) => store.close()))
  })

  test('is upgraded with its contents, and accepts an earlier program only if that may still read', async () => {
    const before = await open('forward')
    await before.put('a', Uint8Array.of(1))
    const after = await open('forward', [...readMigrations(), later(1)])
    expect([...(await after.get('a'))!]).toEqual([1])
    await after.close()
    await before.close()
    await (await open('forward')).close()
    await (await open('refusing', [...readMigrations(), later(newest + 1)])).close()
    await expect(open('refusing')).rejects.toThrow(
      new RegExp(
        `The schema of the store is at ${newest + 1}, which Selfsame \\S+ created and which requires a program that knows ${newest + 1}\\. This is \\S+, which knows ${newest}\\. Start the later program`,
      ),
    )
  })

  test('is left unchanged if a migration fails', async () => {
    await (await open('failing')).close()
    const broken = { ...later(1), sql: 'CREATE TABLE half (id integer); SELECT 1 / 0' }
    await expect(open('failing', [...readMigrations(), broken])).rejects.toThrow('division by zero')
    expect(await appliedIn('selfsame_failing')).toEqual(readMigrations().map(({ number }) => number))
    expect(await server.sql("SELECT to_regclass('selfsame_failing.half') AS half")).toEqual([{ half: null }])
  })

  test('stops the start with words where the server cannot be used', async () => {
    const why = 'The PostgreSQL server in STORE cannot be used: '
    const refusal = (address: string) => expect(open('EU', undefined, address)).rejects
    await refusal(as('selfsame', 'nowhere')).toThrow(
      `${why}the database does not exist: database "nowhere" does not exist`,
    )
    await refusal(as('nobody')).toThrow(
      `${why}it refuses the role or the password: role "nobody" does not exist`,
    )
    await refusal(as('selfsame', 'latin')).toThrow("has the encoding LATIN1. Create one with ENCODING 'UTF8'")
    await refusal(as('stranger')).toThrow(
      new RegExp(
        `The schema of the store is at 0, this program needs ${newest}, and the role stranger may not change it\\. Run "npm run store -- migrate"`,
      ),
    )
    await refusal('postgres://selfsame@127.0.0.1:1/postgres').toThrow(`${why}connect ECONNREFUSED`)
    await server.sql("ALTER ROLE keeper SET default_transaction_read_only = 'on'")
    await refusal(as('keeper')).toThrow(
      'is read-only: it is a replica, or is configured so. Set STORE to the primary.',
    )
  })

  const psql = (role: string, database: string, ...words: string[]) =>
    runProgram('psql', ['--no-psqlrc', '--quiet', '--dbname', as(role, database), ...words])
  /** Runs the file the way its first lines describe. */
  const makeRoles = (maker: string, database: string) => {
    const folder = newFolder()
    copyFileSync('ops/postgres-roles.sql', join(folder, 'roles.sql'))
    try {
      psql(maker, database, '--file', join(folder, 'roles.sql'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test.each([
    ['a superuser', 'selfsame'],
    ['a role with CREATEDB and CREATEROLE that is no superuser', 'maker'],
  ])(
    'is created by the role that owns it, and used by one that may not change it, both created by %s',
    async (_name, maker) => {
      if (maker === 'maker') await server.sql('CREATE ROLE maker LOGIN CREATEDB CREATEROLE')
      const database = `roles_of_${maker}`
      psql(maker, 'postgres', '--command', `CREATE DATABASE ${database} ENCODING UTF8 TEMPLATE template0`)
      const runIn = (text: string) => server.sqlIn(database, text)
      makeRoles(maker, database)
      expect(() => makeRoles(maker, database)).toThrow('role "selfsame_owner" already exists')
      if (maker === 'maker')
        expect(() => psql(maker, database, '--command', 'SET ROLE selfsame_owner')).toThrow(
          'permission denied',
        )
      const owner = as('selfsame_owner', database)
      const runtime = as('selfsame_runtime', database)
      await expect(open('EU', undefined, as('stranger', database))).rejects.toThrow(
        'permission denied for database',
      )
      await expect(open('EU', undefined, runtime)).rejects.toThrow(
        'the role selfsame_runtime may not change it',
      )
      await (await open('EU', undefined, owner)).close()
      const store = await open('EU', undefined, runtime)
      await store.commit([putOf('a', Uint8Array.of(1), 0.001)], [])
      await store.rateCounter.add('a', 60)
      expect(await store.sweep()).toBe(1)
      expect(await store.server.bytes()).toBeGreaterThan(10_000)
      await expect(
        store.pool.query({ name: 'drop', text: 'DROP TABLE "selfsame_eu".entries' }),
      ).rejects.toThrow()
      await expect(
        store.pool.query({ name: 'alter', text: 'CREATE TABLE "selfsame_eu".mine (id integer)' }),
      ).rejects.toThrow()
      await runIn('REVOKE INSERT, UPDATE ON ALL TABLES IN SCHEMA selfsame_eu FROM selfsame_runtime')
      await expect(store.put('b', Uint8Array.of(1))).rejects.toThrow(
        'the role lacks privileges on the tables',
      )
      await store.close()
      await server.sql(
        `DROP DATABASE ${database} WITH (FORCE)`,
        'DROP ROLE selfsame_owner',
        'DROP ROLE selfsame_runtime',
      )
    },
  )

  test.each([
    ['does not own the database', 'outsider', 'INHERIT', 'selfsame'],
    ['owns it and inherits no rights', 'humble', 'NOINHERIT', 'humble'],
  ])('gets no roles from one with CREATEROLE who %s', async (_name, maker, inherits, databaseOwner) => {
    await server.sql(`CREATE ROLE ${maker} LOGIN CREATEROLE ${inherits}`)
    await server.sql(`CREATE DATABASE roles_of_${maker} OWNER ${databaseOwner}`)
    expect(() => makeRoles(maker, `roles_of_${maker}`)).toThrow(`${maker} may not change who has rights`)
    expect(await server.sql("SELECT rolname FROM pg_roles WHERE rolname LIKE 'selfsame\\_%'")).toEqual([])
  })
})

describe('the least version', () => {
  test('a server before 15 is refused with a reason', () => {
    const fit = { version: '15.14 (Debian 15.14-0+deb12u1)', encoding: 'UTF8', reads: 'off' }
    expect(refusalOfServer(fit)).toBeUndefined()
    expect(refusalOfServer({ ...fit, version: '17beta1' })).toBeUndefined()
    expect(refusalOfServer({ ...fit, version: '14.19' })).toBe(
      'The PostgreSQL server has version 14.19; at least 15 is required.',
    )
  })
})
