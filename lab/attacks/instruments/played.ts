import type { Instrument } from '../forgery.ts'
import { type Cast, filmed } from '../people/films.ts'
import type { Footage } from '../people/footage.ts'
import type { Materials } from '../people/materials.ts'
import { plainly, playerOf } from './filmed.ts'

const ofType = (set: string, type: string): Cast => ({
  name: `${set} ${type}`,
  set,
  which: ({ attack_type }) => attack_type === type,
})

/** An instrument that plays the footage of some people as asked. */
export function played(name: string, is: string, gather: (materials: Materials) => Promise<Footage[]>) {
  return (materials: Materials): Instrument => ({
    name,
    is,
    subjects: async (most) =>
      (await gather(materials)).flatMap((footage) => playerOf(footage, plainly) ?? []).slice(0, most),
  })
}

/** The living people of all clips; beside each swap stands what the camera saw. */
export function livingFootage(materials: Materials): Promise<Footage[]> {
  const sets = ['replay-videos', 'live-webcam', 'live-talking', 'swaps']
  return filmed(
    materials,
    sets.map((set) => ({ name: `${set} live`, set, which: ({ label }) => label === 'live' })),
  )
}

/** Faces that were swapped in real time, as they are fed to a virtual camera. */
export const swap = played(
  'swap',
  'A real-time face swap: the frames nearest to what is asked.',
  (materials) => filmed(materials, [ofType('swaps', 'swap')]),
)

/** One picture that a network animated. */
export const puppet = played(
  'puppet',
  'One picture animated by a network: the frames nearest to what is asked.',
  (materials) => filmed(materials, [ofType('puppets', 'puppet')]),
)

/** Talking heads that a network made whole. */
export const generated = played(
  'generated',
  'A talking head made by a network: the frames nearest to what is asked.',
  (materials) => filmed(materials, [ofType('puppets', 'generated')]),
)
