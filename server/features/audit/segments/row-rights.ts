import type { PostgresRows } from '#server/platform/store/drivers/postgres/postgres-rows.ts'

interface Rights {
  readonly role: string
  readonly owns: boolean
  readonly mayCut: boolean
  /** True if the role may change or remove audit rows. */
  readonly mayChange: boolean
}

async function rightsIn({ pool, schema }: PostgresRows): Promise<Rights> {
  const table = `'${schema}.audit_frames'`
  const { rows } = await pool.query({
    name: `${schema} audit rights`,
    text: `SELECT current_user AS role, has_table_privilege(${table}, 'DELETE') AS cuts,
      has_table_privilege(${table}, 'UPDATE, DELETE, TRUNCATE') AS changes,
      (SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = ${table}::regclass) = current_user AS owns`,
  })
  const { role, owns, cuts, changes } = rows[0]!
  return { role: String(role), owns: owns === true, mayCut: cuts === true, mayChange: changes === true }
}

/** @throws an Error that names the remedy unless the connection's role may remove audit rows */
export async function requireRightToCut(rows: PostgresRows): Promise<void> {
  const { role, mayCut } = await rightsIn(rows)
  if (mayCut) return
  throw new Error(
    `The role ${role} may not remove audit rows. Run this with the STORE of the role that owns the tables.`,
  )
}

/** True if a role that does not own the tables may still change them, as in a database that was restored without its privileges. */
export async function isOpenToServers(rows: PostgresRows): Promise<boolean> {
  const { owns, mayChange } = await rightsIn(rows)
  return mayChange && !owns
}
