import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { shotOf } from '../people/albums.ts'
import { openExtract } from '../people/extract.ts'
import { isClip, shotsOf } from '../people/films.ts'
import type { Footage, Shot } from '../people/footage.ts'
import type { Materials } from '../people/materials.ts'
import { played } from './played.ts'

/** Uses the caller's own folder. Each clip is one person, and all the pictures together are another. */
export const own = played(
  'own',
  'Your own clips and pictures, played to match the requested actions as closely as possible.',
  async (materials) => {
    const folder = materials.own
    if (folder === undefined || !existsSync(folder)) return []
    const files = readdirSync(folder).sort()
    const clips = await clipsIn(materials, folder, files.filter(isClip))
    const shots: Shot[] = []
    for (const file of files.filter(isPicture)) shots.push(await shotOf(materials, join(folder, file)))
    return shots.length === 0 ? clips : [...clips, { name: 'pictures', shots }]
  },
)

const isPicture = (file: string) => /\.(jpe?g|png)$/i.test(file)

async function clipsIn(materials: Materials, folder: string, files: readonly string[]): Promise<Footage[]> {
  if (files.length === 0) return []
  const extract = await openExtract()
  try {
    const clips: Footage[] = []
    for (const file of files) {
      clips.push({ name: file, shots: await shotsOf(extract, materials, join(folder, 'segments.csv'), file) })
    }
    return clips
  } finally {
    await extract.close()
  }
}
