import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type DataSet, filesOf, pathOf } from '#lab/evaluate/data-set.ts'
import { personOf } from '#lab/evaluate/part.ts'
import type { PackName } from '../../../models/rules/packs.ts'
import { pipelineVersion } from '../../../models/rules/pipeline-version.ts'
import type { SeenPicture } from './seen-faces.ts'

/** A face's person and its unit embedding. */
export interface LabelledFace {
  readonly person: string
  readonly embedding: Float32Array
}

interface Options {
  readonly pack: PackName
  /** Analyses a set's pictures. Only called for pictures without a cached result. */
  readonly see: (set: DataSet) => Promise<SeenPicture[]>
  /** The file with the results. Defaults to one in .cache/. */
  readonly file?: string
}

/** The number of pictures analysed between two writes. */
const batch = 400

/**
 * A set's faces in the order of its files, skipping pictures without a face. The results are cached on disk for this pipeline version, this pack and
 * these bytes, because analysing a set takes several minutes.
 */
export async function keptEmbeddings(set: DataSet, options: Options): Promise<LabelledFace[]> {
  const { pack, see, file = join('.cache', 'embeddings', `${set.name}-${pack}.jsonl`) } = options
  const kept = read(file)
  const keys = new Map(filesOf(set).map((name) => [name, keyOf(pathOf(set, name), pack)]))
  const missing = [...keys].filter(([, key]) => !kept.has(key)).map(([name]) => name)
  for (let from = 0; from < missing.length; from += batch) {
    const names = new Set(missing.slice(from, from + batch))
    const seen = await see({ ...set, rows: set.rows.filter((row) => names.has(row.file!)) })
    const faces = new Map(seen.map((picture) => [picture.file, picture.face?.embedding]))
    const entries = [...names].map((name) => [keys.get(name)!, faces.get(name)] as const)
    for (const [key, embedding] of entries) kept.set(key, embedding)
    write(file, entries)
  }
  const people = new Map(set.rows.map((row) => [row.file!, personOf(row)]))
  return [...keys].flatMap(([name, key]) => {
    const embedding = kept.get(key)
    return embedding === undefined ? [] : [{ person: people.get(name)!, embedding }]
  })
}

function keyOf(path: string, pack: PackName): string {
  return createHash('sha256')
    .update(`${pipelineVersion}/${pack}/`)
    .update(readFileSync(path))
    .digest('base64url')
}

/** One line per picture with its key and its embedding in base64, which is empty if no face was found. */
type Line = readonly [key: string, embedding: string]

function read(file: string): Map<string, Float32Array | undefined> {
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const [key, text] = JSON.parse(line) as Line
      return [
        key,
        text === '' ? undefined : new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer),
      ]
    }),
  )
}

function write(file: string, entries: readonly (readonly [string, Float32Array | undefined])[]): void {
  mkdirSync(dirname(file), { recursive: true })
  const lines = entries.map(
    ([key, embedding]): Line => [
      key,
      embedding === undefined ? '' : Buffer.from(Float32Array.from(embedding).buffer).toString('base64'),
    ],
  )
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}
