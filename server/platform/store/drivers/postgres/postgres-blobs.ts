import { type Blobs, checkedName } from '#server/platform/store/blobs/blobs.ts'
import type { PostgresPool } from './postgres-pool.ts'

const ownersAtOnce = 500

/** Blobs in a separate table that snapshots of the records do not read. */
export function createPostgresBlobs(pool: Pick<PostgresPool, 'query'>, schema: string): Blobs {
  const table = `${schema}.blobs`
  const put = {
    name: `${schema} put blob`,
    text: `INSERT INTO ${table} (owner, name, bytes) VALUES ($1, $2, $3)
      ON CONFLICT (owner, name) DO UPDATE SET bytes = excluded.bytes`,
  }
  const get = {
    name: `${schema} get blobs`,
    text: `SELECT name, bytes FROM ${table} WHERE owner = $1 ORDER BY name`,
  }
  const removeAll = { name: `${schema} remove blobs`, text: `DELETE FROM ${table} WHERE owner = $1` }
  const removeSome = {
    name: `${schema} remove some blobs`,
    text: `DELETE FROM ${table} WHERE owner = $1 AND name = ANY ($2::text[])`,
  }
  const owners = {
    name: `${schema} owners of blobs`,
    text: `SELECT DISTINCT owner FROM ${table} WHERE owner > $1 ORDER BY owner LIMIT ${ownersAtOnce}`,
  }

  return {
    async put(owner, name, bytes) {
      await pool.query(put, [checkedName(owner), checkedName(name), Buffer.from(bytes)])
    },
    async get(owner) {
      const { rows } = await pool.query(get, [owner])
      return rows.map(({ name, bytes }) => ({ name: String(name), bytes: bytes as Buffer }))
    },
    async remove(owner, names) {
      if (names === undefined) await pool.query(removeAll, [owner])
      else await pool.query(removeSome, [owner, [...names]])
    },
    async *owners() {
      for (let after = '', isMore = true; isMore; ) {
        const { rows } = await pool.query(owners, [after])
        for (const { owner } of rows) {
          after = String(owner)
          yield after
        }
        isMore = rows.length === ownersAtOnce
      }
    },
  }
}
