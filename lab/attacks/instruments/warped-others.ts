import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseCsv } from '#lab/evaluate/csv.ts'
import type { Instrument } from '../forgery.ts'
import { restIn } from '../people/footage.ts'
import type { Materials } from '../people/materials.ts'
import { evenly, framed, type Portrait, portraitIn } from '../people/portraits.ts'
import { readRaster } from '../pictures/raster.ts'
import { forgeryFrom } from './photographed.ts'
import { livingFootage } from './played.ts'
import { warpedRecipe } from './warped.ts'

/** As `warped`, with one straight picture of a living clip: camera, size and light are those of the living. */
export const warpedLiving = warpedFrom(
  'warpedLiving',
  'As warped, from one straight picture of a living person’s clip: the same camera as the living.',
  livingStills,
)

/** As `warped`, with faces that a network invented. */
export const warpedGenerated = warpedFrom(
  'warpedGenerated',
  'As warped, from faces that a network invented (StyleGAN2).',
  inventedFaces,
)

function warpedFrom(
  name: string,
  is: string,
  gather: (materials: Materials, most: number) => Promise<Portrait[]>,
) {
  return (materials: Materials): Instrument => ({
    name,
    is,
    subjects: async (most) =>
      (await gather(materials, most)).map((portrait) => ({
        name: portrait.name,
        forge: (session) => forgeryFrom(warpedRecipe, portrait, session),
      })),
  })
}

async function livingStills(materials: Materials, most: number): Promise<Portrait[]> {
  const found: Portrait[] = []
  for (const footage of await livingFootage(materials)) {
    const straight = restIn(footage)?.straight
    if (straight === undefined || found.length >= most) continue
    const shot = footage.shots[straight[straight.length >> 1]!]!
    const portrait = await portraitIn(materials, footage.name, await readRaster(await shot.read(), 480))
    if (portrait !== undefined) found.push(portrait)
  }
  return found
}

async function inventedFaces(materials: Materials, most: number): Promise<Portrait[]> {
  const labels = materials.path('manipulated', 'stylegan2', 'labels.csv')
  if (!existsSync(labels)) return []
  const fakes = parseCsv(readFileSync(labels, 'utf8')).filter(({ label }) => label === 'fake')
  const found: Portrait[] = []
  for (const { file = '' } of evenly(fakes, materials.seed)) {
    if (found.length >= most) break
    const picture = await framed(await readFile(join(dirname(labels), file)))
    const portrait = await portraitIn(materials, file, picture)
    if (portrait !== undefined) found.push(portrait)
  }
  return found
}
