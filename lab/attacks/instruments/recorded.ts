import type { Action } from '../../../shared/contract/sessions/session.ts'
import type { Footage } from '../people/footage.ts'
import type { Materials } from '../people/materials.ts'
import { actionsIn } from './filmed.ts'
import { livingFootage, played } from './played.ts'

/** The actions that can be requested with the default configuration. */
export const askedByDefault: readonly Action[] = ['turnLeft', 'turnRight', 'lookUp', 'smile']

/** A recording has to show at least this many different actions to be worth using for a forger. */
export const fewestActions = 2

/** Living people whose clips show at least `fewestActions` actions. */
export async function recordings(materials: Materials): Promise<Footage[]> {
  const all = await livingFootage(materials)
  return all.filter((footage) => actionsIn(footage, askedByDefault).length >= fewestActions)
}

/** A recording of a living person. Plays the requested segment, with slightly different brightness each time. */
export const recorded = played(
  'recorded',
  'A living person’s recording: the segment that is asked, brightness changed by up to 3 %.',
  recordings,
)
