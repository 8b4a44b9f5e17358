import type { EmbeddingModel } from '#models/rules/embedding.ts'
import type { Row, Statement } from '#server/platform/store/drivers/postgres/postgres-pool.ts'
import type { AskInTransaction, Partition } from './partition.ts'
import { codeTables } from './partition-schema.ts'

/** The state of a collection's faces on one server. */
export interface GalleryState {
  readonly id: number
  readonly place: number
  readonly places: number
  /** The collection revision that the faces reflect. While the gallery is incomplete, later changes still have to be applied. */
  readonly revision: number
  readonly isWhole: boolean
  /** While the gallery is incomplete: faces up to this ID have been loaded. */
  readonly filledUntil: string
  /** All rows have numbers up to this one; later rows get higher numbers. */
  readonly lastSequence: number
  /** How many faces are searched by the current model, and how many only by the former one. */
  readonly newest: number
  readonly former: number
  /** Identifies the server's start and the tables. If either differs, the rows may have been restored. */
  readonly madeAs: string
}

/** A face ready to be written. */
export interface FaceRow {
  readonly faceId: string
  /** True if only the former model searches this face. */
  readonly isFormer: boolean
  /** The model that its code is for. */
  readonly model: EmbeddingModel
  /** In PostgreSQL's text format. */
  readonly code: string
  readonly person: Buffer | null
  readonly sealed: Buffer
}

/** A step from one gallery state to the next. */
export interface GalleryStep {
  /** The expected starting state. If another process was faster, nothing is written. */
  readonly from: Pick<GalleryState, 'revision' | 'filledUntil' | 'isWhole'>
  readonly to: Pick<GalleryState, 'revision' | 'filledUntil' | 'isWhole'>
  /**
   * Faces to delete, including those added again under the same ID. They are deleted from every view of the collection that
   * lacks the change.
   */
  readonly went: readonly ChangedFace[]
  readonly came: readonly FaceRow[]
}

/** A face that was added, changed or removed, and the last revision that affected it. */
export interface ChangedFace {
  readonly faceId: string
  readonly revision: number
}

/** A collection's gallery, and the models that view it. */
export interface GalleryName {
  readonly owner: string
  readonly view: string
}

const columns = `id, place, places, revision, is_whole AS "isWhole", filled_until AS "filledUntil",
  last_sequence AS "lastSequence", newest, former, tableoid || '@' || extract(epoch FROM pg_postmaster_start_time()) AS "madeAs"`

/** The gallery's state, or undefined if it does not exist here. */
export async function readGallery(
  partition: Partition,
  { owner, view }: GalleryName,
): Promise<GalleryState | undefined> {
  const { schema } = partition
  const text = `SELECT ${columns} FROM ${schema}.galleries WHERE owner = $1 AND view = $2`
  const [row] = await partition.ask({ name: `${schema} gallery`, text }, [owner, view])
  return row && stateOf(row)
}

/** True if a gallery with this number exists and is complete. A rebuilt gallery has another number. */
export async function isWhole(partition: Partition, id: number): Promise<boolean> {
  const { schema } = partition
  const text = `SELECT is_whole AS "isWhole" FROM ${schema}.galleries WHERE id = $1`
  const [row] = await partition.ask({ name: `${schema} whole`, text }, [id])
  return row?.isWhole === true
}

/** Creates an empty gallery that loads from the given revision onwards. An existing one is left unchanged. */
export async function makeGallery(
  partition: Partition,
  { owner, view }: GalleryName,
  revision: number,
): Promise<void> {
  const { schema, place, places } = partition
  const text = `INSERT INTO ${schema}.galleries (owner, view, place, places, revision) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (owner, view) DO NOTHING`
  await partition.ask({ name: `${schema} make gallery`, text }, [owner, view, place, places, revision])
}

/** Advances a gallery by one step. False if it is not in the expected state because another process was faster. */
export function stepGallery(partition: Partition, name: GalleryName, step: GalleryStep): Promise<boolean> {
  const { schema } = partition
  return partition.inTransaction(async (ask) => {
    // Locks every view, in a fixed order. Removed faces are deleted from each view that has not applied their change.
    // Such a view will apply the change and restore added faces. A view that already applied it would never see them again.
    const rows = await ask(
      `SELECT ${columns}, view FROM ${schema}.galleries WHERE owner = $1 ORDER BY id FOR UPDATE`,
      [name.owner],
    )
    const own = rows.find(({ view }) => view === name.view)
    if (own === undefined || !isAt(stateOf(own), step.from)) return false
    const galleries = rows.map(({ id }) => id)
    await take(ask, schema, galleries, step.went)
    await put(ask, schema, stateOf(own), step.came)
    const { revision, filledUntil, isWhole } = step.to
    await ask(
      `UPDATE ${schema}.galleries SET revision = $2, filled_until = $3, is_whole = $4 WHERE id = $1`,
      [own.id, revision, filledUntil, isWhole],
    )
    return true
  })
}

function isAt(state: GalleryState, from: GalleryStep['from']): boolean {
  const { revision, filledUntil, isWhole } = from
  return state.revision === revision && state.filledUntil === filledUntil && state.isWhole === isWhole
}

async function take(
  ask: AskInTransaction,
  schema: string,
  galleries: unknown[],
  went: readonly ChangedFace[],
) {
  if (went.length === 0) return
  const codes = Object.values(codeTables).map(
    (table) =>
      `${table}_gone AS (DELETE FROM ${schema}.${table} c USING gone g WHERE c.gallery = g.gallery AND c.sequence = g.sequence)`,
  )
  await ask(
    `WITH gone AS (DELETE FROM ${schema}.faces f
        USING unnest($2::uuid[], $3::bigint[]) AS w (face_id, revision), ${schema}.galleries b
        WHERE f.gallery = ANY ($1::integer[]) AND f.face_id = w.face_id AND b.id = f.gallery AND b.revision < w.revision
        RETURNING f.gallery, f.sequence, f.is_former), ${codes.join(', ')},
      counted AS (SELECT gallery, count(*) FILTER (WHERE NOT is_former) AS newest, count(*) FILTER (WHERE is_former) AS former
        FROM gone GROUP BY gallery)
    UPDATE ${schema}.galleries g SET newest = g.newest - c.newest, former = g.former - c.former
      FROM counted c WHERE g.id = c.gallery`,
    [galleries, went.map(({ faceId }) => faceId), went.map(({ revision }) => revision)],
  )
}

/** Leaves existing faces unchanged, because a change may have added a face early while the gallery is being loaded. */
async function put(ask: AskInTransaction, schema: string, state: GalleryState, came: readonly FaceRow[]) {
  const models = [...new Set(came.map(({ model }) => model))]
  for (const model of models) {
    const rows = came.filter((row) => row.model === model)
    await ask(
      `WITH given AS (
          SELECT $1::integer AS gallery, ordinality + (SELECT last_sequence FROM ${schema}.galleries WHERE id = $1) AS sequence, u.*
          FROM unnest($2::uuid[], $3::boolean[], $4::bytea[], $5::bytea[], $6::bit varying[])
            WITH ORDINALITY AS u (face_id, is_former, person, sealed, code, ordinality)),
        kept AS (INSERT INTO ${schema}.faces (gallery, sequence, face_id, is_former, person, sealed)
          SELECT gallery, sequence, face_id, is_former, person, sealed FROM given
          ON CONFLICT (gallery, face_id) DO NOTHING RETURNING sequence, is_former),
        coded AS (INSERT INTO ${schema}.${codeTables[model]} (gallery, sequence, code)
          SELECT gallery, sequence, code FROM given JOIN kept USING (sequence))
      UPDATE ${schema}.galleries SET last_sequence = last_sequence + $7,
          newest = newest + (SELECT count(*) FROM kept WHERE NOT is_former),
          former = former + (SELECT count(*) FROM kept WHERE is_former)
        WHERE id = $1`,
      [
        state.id,
        rows.map(({ faceId }) => faceId),
        rows.map(({ isFormer }) => isFormer),
        rows.map(({ person }) => person),
        rows.map(({ sealed }) => sealed),
        rows.map(({ code }) => code),
        rows.length,
      ],
    )
  }
}

/** How many of a gallery's rows are erased per statement. */
const erasedAtOnce = 5000

/** The revision of a gallery that is being erased. No change in the log continues from it. */
export const erasedRevision = -1

/** Removes all of a collection's views and their content. */
export async function eraseGalleries(partition: Partition, owner: string): Promise<void> {
  const { schema } = partition
  // A deployment that stores no faces here must not create tables just to erase some.
  if (!(await partition.isMade())) return
  // This comes first, so that no process treats the remainder as complete or continues to load it.
  const text = `UPDATE ${schema}.galleries SET is_whole = false, revision = ${erasedRevision} WHERE owner = $1 RETURNING id`
  for (const { id } of await partition.ask({ name: `${schema} galleries`, text }, [owner])) {
    for (const table of [...Object.values(codeTables), 'faces']) await emptyTable(partition, table, id)
    const gone = `DELETE FROM ${schema}.galleries WHERE id = $1`
    await partition.ask({ name: `${schema} erase gallery`, text: gone }, [id])
    // Rows that another process wrote in between.
    for (const table of [...Object.values(codeTables), 'faces']) await emptyTable(partition, table, id)
  }
}

async function emptyTable(partition: Partition, table: string, id: unknown): Promise<void> {
  const { schema } = partition
  const statement: Statement = {
    name: `${schema} empty ${table}`,
    text: `WITH gone AS (DELETE FROM ${schema}.${table} WHERE gallery = $1 AND sequence IN (
        SELECT sequence FROM ${schema}.${table} WHERE gallery = $1 ORDER BY sequence LIMIT ${erasedAtOnce}) RETURNING 1)
      SELECT count(*) AS count FROM gone`,
  }
  while (Number((await partition.ask(statement, [id]))[0]!.count) > 0);
}

/** The state of every gallery on this server, by owner. */
export async function listGalleries(partition: Partition): Promise<readonly (GalleryName & GalleryState)[]> {
  const { schema } = partition
  if (!(await partition.isMade())) return []
  const text = `SELECT ${columns}, owner, view FROM ${schema}.galleries ORDER BY owner, view`
  const rows = await partition.ask({ name: `${schema} all galleries`, text }, [])
  return rows.map((row) => ({ ...stateOf(row), owner: String(row.owner), view: String(row.view) }))
}

/** Updates the planner's statistics after a large write. A role without the privilege leaves this to the server. */
export async function tellPlanner(partition: Partition): Promise<void> {
  const { schema } = partition
  for (const table of [...Object.values(codeTables), 'faces'])
    await partition.ask({ name: `${schema} analyze ${table}`, text: `ANALYZE ${schema}.${table}` }, [])
}

function stateOf(row: Row): GalleryState {
  return {
    id: Number(row.id),
    place: Number(row.place),
    places: Number(row.places),
    revision: Number(row.revision),
    isWhole: row.isWhole === true,
    filledUntil: String(row.filledUntil),
    lastSequence: Number(row.lastSequence),
    newest: Number(row.newest),
    former: Number(row.former),
    madeAs: String(row.madeAs),
  }
}
