import type { Action } from '../../../shared/contract/sessions/session.ts'
import type { Footage } from '../people/footage.ts'
import type { Materials } from '../people/materials.ts'
import { actionsIn } from './filmed.ts'
import { livingFootage, played } from './played.ts'

/** What the product asks for where nothing else is set. */
export const askedByDefault: readonly Action[] = ['turnLeft', 'turnRight', 'lookUp', 'smile']

/** A forger takes somebody of whom the material shows at least so many of the actions. */
export const fewestActions = 2

/** Living people whose clips show at least two of the actions. */
export async function recordings(materials: Materials): Promise<Footage[]> {
  const all = await livingFootage(materials)
  return all.filter((footage) => actionsIn(footage, askedByDefault).length >= fewestActions)
}

/** A living person's recording: the segment that is asked, in a light that is a little different each time. */
export const recorded = played(
  'recorded',
  'A living person’s recording: the segment that is asked, brightness changed by up to 3 %.',
  recordings,
)
