import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { hasSharedData, readShared, readTable, spreadOver } from '../../../tests/support/shared-data.ts'

/** JPEGs with 1280 x 720 pixels that are filled by a face: webcam or press pictures, or one of the project's own. */
export async function pipelinePictures(): Promise<Buffer[]> {
  if (!hasSharedData) {
    const astronaut = readFileSync(join(import.meta.dirname, '../../../tests/support/pictures/astronaut.png'))
    return Promise.all([false, true].map((mirrored) => widescreen(astronaut, { mirrored, position: 'top' })))
  }
  const webcam = readTable('liveness', 'nuaa', 'labels.csv').filter(({ label }) => label === 'live')
  const press = readTable('recognition', 'lfw', 'labels.csv')
  const files = [
    ...spreadOver(webcam, 4).map(({ file }) => ['liveness', 'nuaa', file!]),
    ...spreadOver(press, 4).map(({ file }) => ['recognition', 'lfw', file!]),
  ]
  return Promise.all(files.map((path) => widescreen(readShared(...path))))
}

async function widescreen(bytes: Buffer, { mirrored = false, position = 'centre' } = {}): Promise<Buffer> {
  return sharp(bytes)
    .removeAlpha()
    .flop(mirrored)
    .resize(1280, 720, { fit: 'cover', position })
    .jpeg({ quality: 90 })
    .toBuffer()
}
