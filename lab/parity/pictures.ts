import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { filesOf, pathOf, readSets, spread } from '#lab/evaluate/data-set.ts'

const data = resolve(import.meta.dirname, '../../../shared/data')
const astronaut = resolve(import.meta.dirname, '../../tests/support/pictures/astronaut.png')

/** `count` pictures that are spread evenly over all sets next to the project, or the project's own pictures if there are none. */
export async function parityPictures(count: number): Promise<string[]> {
  if (!existsSync(data)) return [astronaut]
  const sets = readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => setsOf(join(data, name)))
    .map((set) =>
      filesOf(set)
        .filter((file) => /\.(jpe?g|png)$/i.test(file))
        .map((file) => pathOf(set, file)),
    )
    .sort((a, b) => a.length - b.length)
  const taken: string[] = []
  for (const [i, files] of sets.entries()) {
    const share = Math.min(files.length, Math.ceil((count - taken.length) / (sets.length - i)))
    taken.push(...(await readable(spread(files, share))))
  }
  return taken
}

/** Skips files that only claim to be JPEGs, as the product rejects them too. */
async function readable(paths: readonly string[]): Promise<string[]> {
  const kinds = await Promise.all(
    paths.map((path) =>
      sharp(path)
        .metadata()
        .catch(() => undefined),
    ),
  )
  return paths.filter((_, i) => kinds[i]?.format === 'jpeg' || kinds[i]?.format === 'png')
}

function setsOf(folder: string) {
  const hasSets = readdirSync(folder).some((name) => existsSync(join(folder, name, 'labels.csv')))
  return hasSets ? readSets(folder) : []
}

/** Either the same pixels for every host, or the file, which each host decodes itself. */
export async function encodedAs(kind: 'pixels' | 'jpeg', path: string): Promise<Buffer> {
  const bytes = readFileSync(path)
  if (kind === 'pixels')
    return sharp(bytes)
      .autoOrient()
      .toColourspace('srgb')
      .removeAlpha()
      .png({ compressionLevel: 1 })
      .toBuffer()
  return /\.jpe?g$/i.test(path) ? bytes : sharp(bytes).removeAlpha().jpeg({ quality: 90 }).toBuffer()
}
