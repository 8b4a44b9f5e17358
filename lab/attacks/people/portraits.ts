import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { parseCsv } from '#lab/csv.ts'
import type { Points } from '#lab/pictures/paint-mesh.ts'
import { type Raster, readRaster } from '#lab/pictures/raster.ts'
import { groupBy } from '#lab/statistics/bootstrap.ts'
import type { HeadFit } from '../../../models/rules/analysis.ts'
import type { Materials } from './materials.ts'

/** A photograph of a person, with the position of the face. */
export interface Portrait {
  readonly name: string
  readonly picture: Raster
  readonly points: Points
  readonly fit: HeadFit
}

/** A face is usable if it looks at the camera and is large enough. In degrees and pixels. */
const wanted = { yaw: 9, pitch: 12, roll: 15, faceWidth: 110 } as const
/** How many photographs per person are searched for a usable face. */
const mostLookedAt = 3

/** A typical webcam's picture size. */
export const cameraSize = { width: 640, height: 480 } as const

/** Frames the photograph as a camera would: at full height, over a blurred copy of itself. */
export async function framed(photograph: Buffer): Promise<Raster> {
  const { width, height } = cameraSize
  const behind = await sharp(photograph).resize(width, height, { fit: 'cover' }).blur(14).toBuffer()
  const front = await sharp(photograph).resize(width, height, { fit: 'inside' }).toBuffer()
  return readRaster(
    await sharp(behind)
      .composite([{ input: front }])
      .png()
      .toBuffer(),
  )
}

/** Finds the portrait in a picture. Undefined if its face is not usable. */
export async function portraitIn(
  materials: Materials,
  name: string,
  picture: Raster,
): Promise<Portrait | undefined> {
  const { face, others } = await materials.look(picture)
  if (face === undefined || face.box.width < wanted.faceWidth) return undefined
  if (others.some(({ box }) => box.width > 0.35 * face.box.width)) return undefined
  const { yaw, pitch, roll } = face.pose
  if (Math.abs(yaw) > wanted.yaw || Math.abs(pitch) > wanted.pitch || Math.abs(roll) > wanted.roll)
    return undefined
  return { name, picture, points: face.landmarks, fit: face.fit }
}

/** Each person's files in a set, in the order of its labels. */
function filesByPerson(labels: string, column: string): Map<string, string[]> {
  if (!existsSync(labels)) return new Map()
  const rows = parseCsv(readFileSync(labels, 'utf8')).filter((row) => (row[column] ?? '') !== '')
  const people = groupBy(rows, (row) => row[column]!)
  const folder = dirname(labels)
  return new Map([...people].map(([name, own]) => [name, own.map(({ file }) => join(folder, file!))]))
}

/** How far apart two seeds start, as a share of the list. No multiple of it is close to the golden ratio. */
const seedsApart = Math.SQRT1_2

/** The whole photograph, enlarged to a camera's picture size. */
export async function enlargedWhole(photograph: Buffer): Promise<Raster> {
  const side = cameraSize.width
  return readRaster(await sharp(photograph).resize(side, side, { fit: 'inside' }).png().toBuffer())
}

/** One photograph per person for up to `most` people from Labeled Faces in the Wild, spread evenly across the set. */
export async function pressPortraits(
  materials: Materials,
  most: number,
  frame = framed,
): Promise<Portrait[]> {
  return materials.once(`press ${frame.name} ${most}`, async () => {
    const found: Portrait[] = []
    for (const [name, files] of evenly([...pressPeople(materials)], materials.seed)) {
      if (found.length >= most) break
      const portrait = await firstOfUse(materials, name, files.slice(0, mostLookedAt), frame)
      if (portrait !== undefined) found.push(portrait)
    }
    return found
  })
}

export function pressPeople(materials: Materials): Map<string, string[]> {
  return filesByPerson(materials.path('recognition', 'lfw', 'labels.csv'), 'identity')
}

async function firstOfUse(
  materials: Materials,
  name: string,
  files: readonly string[],
  frame: typeof framed,
): Promise<Portrait | undefined> {
  for (const file of files) {
    const portrait = await portraitIn(materials, name, await frame(await readFile(file)))
    if (portrait !== undefined) return portrait
  }
  return undefined
}

/**
 * Orders a list in steps of the golden ratio, so that any number of entries from the front is spread across the whole list. Each seed starts at a
 * different position and therefore selects different people.
 */
export function evenly<T>(list: readonly T[], seed: number): T[] {
  const place = (index: number) => (index * 0.6180339887 + (seed - 1) * seedsApart) % 1
  return list
    .map((one, i) => [place(i), one] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, one]) => one)
}
