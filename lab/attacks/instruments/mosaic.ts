import { readFile } from 'node:fs/promises'
import { onWall } from '#lab/pictures/pasted-face.ts'
import type { Raster } from '#lab/pictures/raster.ts'
import type { Observation } from '../../../models/rules/observation.ts'
import type { Materials } from '../people/materials.ts'
import { shownComparedWith } from '../people/rehearsal.ts'
import { type Album, dodging, drifting, lookAt } from './dodge.ts'
import { askedByDefault } from './recorded.ts'

const photographs = { least: 6, most: 10 } as const
/** How many photographs are tried as the neutral one, starting with the straightest. */
const mostAtRest = 4

interface PastedPicture {
  readonly picture: Raster
  readonly look: Observation
}

/** Shows whichever actions a person's photographs happen to contain, and leaves sessions that request anything else. */
export const mosaic = dodging(
  'mosaic',
  'Several photographs of one person, unwarped, pasted before one invented wall; a session that asks for an action that none of them shows is left, and another one opened. By itself it sends no film.',
  { others: 'left', leastFiles: photographs.least, gather },
)

async function gather(materials: Materials, files: readonly string[]): Promise<Album | undefined> {
  const pasted: PastedPicture[] = []
  for (const file of files.slice(0, photographs.most)) {
    const picture = await onWall(await readFile(file))
    const look = await lookAt(materials, picture)
    if (look.face !== null) pasted.push({ picture, look })
  }
  const yawOf = ({ look }: PastedPicture) => Math.abs(look.face!.pose.yaw)
  const straightest = [...pasted].sort((a, b) => yawOf(a) - yawOf(b)).slice(0, mostAtRest)
  const albums = straightest.map((rest) => albumAbout(rest, pasted))
  const best = albums.sort((a, b) => countOf(b) - countOf(a))[0]
  return best === undefined || countOf(best) === 0 ? undefined : best
}

const countOf = ({ acting }: Album) => Object.keys(acting).length

/** For each action, the first photograph that shows it compared with the neutral one. */
function albumAbout(rest: PastedPicture, pasted: readonly PastedPicture[]): Album {
  const acting = askedByDefault.flatMap((action) => {
    const one = pasted.find((other) => other !== rest && shownComparedWith(rest.look, other.look).has(action))
    return one === undefined ? [] : [[action, drifting(one.picture)] as const]
  })
  return { rest: drifting(rest.picture), acting: Object.fromEntries(acting) }
}
