import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseCsv, type Row } from '#lab/csv.ts'
import { readRaster } from '#lab/pictures/raster.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'
import { isClip } from './films.ts'
import type { Footage, Shot } from './footage.ts'
import { lookOf } from './looks.ts'
import type { Materials } from './materials.ts'

/** Per person. More pictures do not add anything new. */
const mostPictures = 24

/** Single pictures of people, grouped by what could be one visit, i.e. the same person, place and light. */
export interface Album {
  readonly set: string
  readonly which: (row: Row) => boolean
  /** Returns the key of the visit that a row belongs to. */
  readonly visit: (row: Row) => string
}

/** The visit with the most pictures for each person. */
export async function gathered(materials: Materials, albums: readonly Album[]): Promise<Footage[]> {
  const found: Footage[] = []
  for (const { set, which, visit } of albums) {
    const labels = materials.path('liveness', set, 'labels.csv')
    if (!existsSync(labels)) continue
    const rows = parseCsv(readFileSync(labels, 'utf8')).filter((row) => !isClip(row.file!) && which(row))
    for (const [subject, own] of groupBy(rows, (row) => row.subject!)) {
      const visits = [...groupBy(own, visit).values()].sort((a, b) => b.length - a.length)
      const shots: Shot[] = []
      for (const { file } of visits[0]!.slice(0, mostPictures)) {
        shots.push(await shotOf(materials, join(dirname(labels), file!)))
      }
      found.push({ name: `${set} ${subject}`, shots })
    }
  }
  return found
}

/** A single picture that is not part of a sequence. */
export async function shotOf(materials: Materials, file: string): Promise<Shot> {
  const picture = await readRaster(await readFile(file))
  return { read: () => readFile(file), clip: file, look: lookOf(await materials.look(picture)) }
}
