import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parseCsv, type Row } from '#lab/csv.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'
import { framesPerSecond } from '../../../e2e/support/acted/extract.ts'
import { madeOnce } from '../../../e2e/support/made-once.ts'
import { type Extract, mostSeconds, openExtract } from './extract.ts'
import type { Footage, Shot } from './footage.ts'
import { looksOf } from './looks.ts'
import type { Materials } from './materials.ts'

const kept = join('.cache', 'attacks')

export interface FilmCast {
  readonly name: string
  /** The name of a set of liveness material, such as `swaps`. */
  readonly set: string
  /** Selects clips based on their row in labels.csv. */
  readonly which: (row: Row) => boolean
}

/** The people in some clips. All clips of the same person in a set form one piece of footage. */
export function filmed(materials: Materials, casts: readonly FilmCast[]): Promise<Footage[]> {
  return materials.once(`films ${casts.map(({ name }) => name)}`, async () => {
    const extract = await openExtract()
    try {
      const found: Footage[] = []
      for (const cast of casts) found.push(...(await filmedIn(extract, materials, cast)))
      return found
    } finally {
      await extract.close()
    }
  })
}

async function filmedIn(
  extract: Extract,
  materials: Materials,
  { set, which }: FilmCast,
): Promise<Footage[]> {
  const labels = materials.path('liveness', set, 'labels.csv')
  if (!existsSync(labels)) return []
  const rows = parseCsv(readFileSync(labels, 'utf8')).filter((row) => isClip(row.file!) && which(row))
  const people = groupBy(rows, ({ subject }) => subject!)
  const footage: Footage[] = []
  for (const [subject, own] of people) {
    const shots: Shot[] = []
    for (const { file } of own) shots.push(...(await shotsOf(extract, materials, labels, file!)))
    const about = own.map(({ content }) => content ?? '').join('; ')
    footage.push({ name: `${set} ${subject}`, about, shots })
  }
  return footage
}

export function isClip(file: string): boolean {
  return /\.(mp4|webm|mov)$/i.test(file)
}

/** A clip's frames, each with its analysis and the action assigned to it by the segments table. */
export async function shotsOf(
  extract: Extract,
  materials: Materials,
  table: string,
  file: string,
): Promise<Shot[]> {
  const clip = resolve(dirname(table), file)
  const digest = createHash('sha256').update(clip).digest('hex').slice(0, 8)
  const folder = await madeOnce(join(kept, `${basename(file)}-${digest}`), (place) =>
    extract.frames(clip, place),
  ).catch(() => undefined)
  if (folder === undefined) return []
  const names = readdirSync(folder).filter(
    (name) => name.endsWith('.jpg') && statSync(join(folder, name)).size > 0,
  )
  const files = names.sort().slice(0, mostSeconds * framesPerSecond)
  const looks = await looksOf(materials, folder, files)
  const segments = segmentsOf(join(dirname(table), 'segments.csv'), file)
  return files.map((name, i) => {
    const at = i / framesPerSecond
    const labelled = segments.find(({ from, to }) => at >= from && at <= to)?.action
    return {
      read: () => readFile(join(folder, name)),
      clip: file,
      look: looks[i],
      ...(labelled !== undefined && { labelled }),
    }
  })
}

interface Segment {
  readonly action: string
  /** In seconds. */
  readonly from: number
  readonly to: number
}

function segmentsOf(table: string, file: string): Segment[] {
  if (!existsSync(table)) return []
  return parseCsv(readFileSync(table, 'utf8'))
    .filter((row) => row.file === file)
    .map((row) => ({
      action: row.action!,
      from: Number(row.from ?? row.startSeconds),
      to: Number(row.to ?? row.endSeconds),
    }))
}
