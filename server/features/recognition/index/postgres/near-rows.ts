import { createHash } from 'node:crypto'
import { type EmbeddingModel, embeddingLengths } from '#models/rules/embedding.ts'
import { bytesOfFaceId } from '#server/features/recognition/store/face-id.ts'
import type { Row } from '#server/platform/store/drivers/postgres/postgres-pool.ts'
import type { Partition } from './partition.ts'
import { codeTables } from './partition-schema.ts'

/** Near codes, one after another: 8 bytes for the row number, 4 bytes for the code length in bits, and the code. */
export interface NearCodes {
  readonly bytes: Buffer
  readonly count: number
  sequenceOf(i: number): number
  /** The offset in `bytes` at which a code begins. */
  codeAt(i: number): number
}

/** A sealed face as stored on a server. */
export interface SealedRow {
  readonly sequence: number
  /** 16 bytes. */
  readonly id: Buffer
  readonly sealed: Buffer
}

const headBytes = 12

/**
 * All of a gallery's codes that differ from the given one in at most this many bits, in the rows between two numbers. The
 * server scans all codes in parallel workers and returns the near ones as one value, because creating a million result
 * rows would take longer.
 */
export async function nearCodes(
  partition: Partition,
  gallery: number,
  model: EmbeddingModel,
  asked: { readonly code: string; readonly mostBits: number; readonly after: number; readonly until: number },
): Promise<NearCodes> {
  const { schema } = partition
  const bits = embeddingLengths[model]
  const text = `SELECT string_agg(int8send(sequence) || bit_send(code), ''::bytea) AS near FROM ${schema}.${codeTables[model]}
    WHERE gallery = $1 AND sequence > $2 AND sequence <= $3 AND bit_count(code # $4::bit(${bits})) <= $5`
  const { code, mostBits, after, until } = asked
  const values = [gallery, after, until, code, mostBits]
  const [row] = await partition.ask({ name: `${schema} near ${codeTables[model]}`, text }, values)
  return codesIn(readBytes(row, 'near'), model)
}

/** All of a gallery's codes in the rows between two numbers. */
export async function codesBetween(
  partition: Partition,
  gallery: number,
  model: EmbeddingModel,
  after: number,
  until: number,
): Promise<NearCodes> {
  const { schema } = partition
  const text = `SELECT string_agg(int8send(sequence) || bit_send(code), ''::bytea) AS codes FROM ${schema}.${codeTables[model]}
    WHERE gallery = $1 AND sequence > $2 AND sequence <= $3`
  const [row] = await partition.ask({ name: `${schema} codes ${codeTables[model]}`, text }, [
    gallery,
    after,
    until,
  ])
  return codesIn(readBytes(row, 'codes'), model)
}

function codesIn(bytes: Buffer, model: EmbeddingModel): NearCodes {
  const size = headBytes + embeddingLengths[model] / 8
  return {
    bytes,
    count: bytes.length / size,
    sequenceOf: (i) => Number(bytes.readBigInt64BE(i * size)),
    codeAt: (i) => i * size + headBytes,
  }
}

/** A gallery's rows with these numbers, if they exist. */
export async function rowsNumbered(
  partition: Partition,
  gallery: number,
  sequences: readonly number[],
): Promise<readonly SealedRow[]> {
  if (sequences.length === 0) return []
  const { schema } = partition
  const text = `${sealedRows(schema)} AND sequence = ANY ($2::bigint[])`
  const [row] = await partition.ask({ name: `${schema} rows`, text }, [gallery, sequences])
  return sealedIn(readBytes(row, 'rows'))
}

/** A person's rows, searched by either the current model or the former one. */
export async function rowsOfPerson(
  partition: Partition,
  gallery: number,
  isFormer: boolean,
  person: Buffer,
): Promise<readonly SealedRow[]> {
  const { schema } = partition
  const text = `${sealedRows(schema)} AND person = $2 AND is_former = $3`
  const [row] = await partition.ask({ name: `${schema} person`, text }, [gallery, person, isFormer])
  return sealedIn(readBytes(row, 'rows'))
}

function sealedRows(schema: string): string {
  return `SELECT string_agg(int8send(sequence) || uuid_send(face_id) || int4send(octet_length(sealed)) || sealed, ''::bytea) AS rows
    FROM ${schema}.faces WHERE gallery = $1`
}

function sealedIn(bytes: Buffer): readonly SealedRow[] {
  const rows: SealedRow[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 28 + bytes.readUInt32BE(at + 24)
    const sequence = Number(bytes.readBigInt64BE(at))
    rows.push({ sequence, id: bytes.subarray(at + 8, at + 24), sealed: bytes.subarray(at + 28, end) })
    at = end
  }
  return rows
}

function readBytes(row: Row | undefined, column: string): Buffer {
  return (row?.[column] as Buffer | null | undefined) ?? Buffer.alloc(0)
}

/** A face's server, numbered from 1: chosen by a hash, so that IDs of any kind are distributed evenly. */
export function serverFor(faceId: string, places: number): number {
  if (places === 1) return 1
  return 1 + (createHash('sha256').update(bytesOfFaceId(faceId)).digest().readUInt32BE() % places)
}
