import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '../../../server/platform/store/drivers/postgres/postgres.ts'
import { openRedisStore } from '../../../server/platform/store/drivers/redis.ts'
import type { Store, Write } from '../../../server/platform/store/store.ts'
import { type PostgresServer, startPostgresServer } from '../../../tests/support/programs/postgres-server.ts'
import { startRedisServer } from '../../../tests/support/programs/redis-server.ts'
import { openEmbeddedStore } from '../running/embedded-store.ts'

const writtenAtOnce = 500
const copiedAtOnce = 1_000_000

/** A filled store and the resources that it uses. */
export interface FilledStore {
  readonly store: Store
  bytes(): Promise<number>
  close(): Promise<void>
}

/** Fills a store with writes while no other process is using it. */
export type FillStore = (writes: Iterable<Write>) => Promise<FilledStore>

export const fillStores: Readonly<Record<string, FillStore>> = {
  async lmdb(writes) {
    const filled = await openEmbeddedStore()
    await commitAll(filled.store, writes)
    return filled
  },
  async redis(writes) {
    const server = await startRedisServer()
    const store = await openRedisStore(server.address, { tag: 'bench', onFailure: () => undefined })
    await commitAll(store, writes)
    return {
      store,
      bytes: async () => store.server.bytes(),
      async close() {
        await store.close()
        await server.stop()
      },
    }
  },
  async postgres(writes) {
    const server = await startPostgresServer({
      settings: ['max_wal_size=16GB', 'shared_buffers=1GB', 'maintenance_work_mem=1GB'],
    })
    const open = () => openPostgresStore(server.address, { tag: 'bench', onFailure: () => undefined })
    await (await open()).close()
    const left = await copyAll(server, writes)
    const store = await open()
    await commitAll(store, left)
    return {
      store,
      bytes: async () => Number((await server.sql('SELECT pg_database_size(current_database()) AS n'))[0]!.n),
      async close() {
        await store.close()
        await server.stop()
      },
    }
  },
}

async function commitAll(store: Store, writes: Iterable<Write>): Promise<void> {
  let lot: Write[] = []
  for (const write of writes) {
    lot.push(write)
    if (lot.length < writtenAtOnce) continue
    await store.commit(lot, [])
    lot = []
  }
  await store.commit(lot, [])
}

/** Inserts records with COPY and then creates the key index. Returns the writes that require a commit: counters and numbered records. */
async function copyAll(server: PostgresServer, writes: Iterable<Write>): Promise<Write[]> {
  const [{ schema }] = (await server.sql(
    "SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'entries'",
  )) as [{ schema: string }]
  const entries = `${schema}.entries`
  await server.sql(
    `ALTER TABLE ${entries} DROP CONSTRAINT entries_pkey`,
    `DROP INDEX ${schema}.entries_expiring`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'selfsame-copy-'))
  await chmod(folder, 0o755)
  const file = join(folder, 'entries')
  const left: Write[] = []
  const lines = linesOf(writes, left)
  for (let more = true; more; ) {
    more = await writeLines(file, lines)
    await chmod(file, 0o644)
    await server.sql(`COPY ${entries} FROM '${file}'`)
  }
  await rm(folder, { recursive: true })
  await server.sql(
    `ALTER TABLE ${entries} ADD PRIMARY KEY (key)`,
    `CREATE INDEX entries_expiring ON ${entries} (expires_at) WHERE expires_at IS NOT NULL`,
    `VACUUM ANALYZE ${entries}`,
  )
  return left
}

function* linesOf(writes: Iterable<Write>, left: Write[]): Generator<string> {
  const now = Date.now()
  for (const write of writes) {
    if (write.kind !== 'put') left.push(write)
    else {
      const { key, value, expiresInSeconds } = write
      const expires = expiresInSeconds === undefined ? '\\N' : Math.ceil(now + 1000 * expiresInSeconds)
      yield `${key}\t${Buffer.from(value).toString()}\t${expires}\n`
    }
  }
}

/** Returns false once there are no more lines. */
async function writeLines(file: string, lines: Iterator<string>): Promise<boolean> {
  const stream = createWriteStream(file)
  let written = 0
  let lot = ''
  let isDone = false
  while (written < copiedAtOnce && !isDone) {
    const { value, done } = lines.next()
    isDone = done === true
    if (!isDone) lot += value
    if (++written % 2000 !== 0 && !isDone && written < copiedAtOnce) continue
    if (!stream.write(lot)) await once(stream, 'drain')
    lot = ''
  }
  stream.end()
  await once(stream, 'close')
  return !isDone
}
