import type { Row } from '#lab/csv.ts'
import { gathered } from '../people/albums.ts'
import { filmed } from '../people/films.ts'
import { played } from './played.ts'

const light = ({ content = '' }: Row) => /(adverse|controlled) light/.exec(content)?.[1] ?? ''
const isPrint = ({ content = '' }: Row) => /\b(print|paper)\b/.test(content) && !/mask/.test(content)
const isScreen = ({ content = '' }: Row) => /\b(tablet|phone|screen|monitor)\b/.test(content)
const isSpoof = ({ label }: Row) => label === 'spoof'

/** A printed photograph in front of a camera. */
export const print = played(
  'print',
  'A printed photograph held before a camera; its pictures nearest to what is asked.',
  (materials) =>
    gathered(materials, [
      {
        set: 'nuaa',
        which: ({ attack_type }) => attack_type === 'photo',
        visit: ({ session = '' }) => session,
      },
      { set: 'replay-attack-frames', which: (row) => isSpoof(row) && isPrint(row), visit: light },
      { set: 'attacks', which: (row) => isSpoof(row) && isPrint(row), visit: ({ file = '' }) => file },
    ]),
)

/** A photograph or a clip on a screen in front of a camera. */
export const screen = played(
  'screen',
  'A photograph or a clip on a screen before a camera; its pictures nearest to what is asked.',
  async (materials) => [
    ...(await filmed(materials, [
      {
        name: 'replay-videos screens',
        set: 'replay-videos',
        which: ({ attack_type }) => attack_type === 'video',
      },
    ])),
    ...(await gathered(materials, [
      {
        set: 'replay-attack-frames',
        which: (row) => isSpoof(row) && isScreen(row),
        visit: ({ content = '' }) => content,
      },
      { set: 'attacks', which: (row) => isSpoof(row) && isScreen(row), visit: ({ file = '' }) => file },
    ])),
  ],
)
