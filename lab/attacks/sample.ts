import type { Condition } from './living.ts'
import type { RunOptions } from './run.ts'

/** A part of a run. Each part has its own process. */
export type Part = Pick<
  RunOptions,
  'instruments' | 'methods' | 'challenges' | 'living' | 'people' | 'sessions'
> &
  Partial<Pick<RunOptions, 'film' | 'asked'>>

type Attack = Omit<Part, 'living' | 'sessions'>

/** Attackers get one session each, because more attackers narrow the interval while more sessions do not. */
const attack = (part: Attack): Part => ({ ...part, living: [], sessions: 1 })
const living = (condition: Condition, people: number): Part => ({
  ...{ instruments: [], methods: ['script'], challenges: ['Balanced'], living: [condition] },
  ...{ people, sessions: 1 },
})

const byScript = { methods: ['script'], challenges: ['Balanced'] } as const
const byKiosk = { methods: ['kiosk'], challenges: ['Advanced'] } as const
/** A few people with several sessions each, because there is no material for more people or because each additional person takes too long. */
const again = (part: Attack, sessions: number): Part => ({ ...attack(part), sessions })

/**
 * All kinds of rows that docs/attacks.md must contain, with at least 40 tries per instrument if there is enough material. With fewer, a share of
 * one in ten could not be distinguished from zero. The longest parts come first.
 */
export const sample: readonly Part[] = [
  attack({ ...byScript, instruments: ['layers'], people: 24 }),
  attack({ ...byScript, instruments: ['bent'], people: 40, film: 'own' }),
  attack({ ...byScript, instruments: ['layers'], people: 10, challenges: ['Advanced'] }),
  living('bpcer', 18),
  attack({ ...byScript, instruments: ['bent'], people: 12, film: 'own', challenges: ['Advanced'] }),
  attack({ ...byScript, instruments: ['bent'], people: 20, film: 'none' }),
  attack({ ...byScript, instruments: ['bent'], people: 10, film: 'none', challenges: ['Advanced'] }),
  attack({ ...byScript, instruments: ['layers'], people: 6, asked: { leastAssurance: 'high' } }),
  again({ ...byScript, instruments: ['dodge'], people: 12, film: 'none' }, 2),
  again({ ...byScript, instruments: ['dodge'], people: 12, film: 'own' }, 2),
  again({ ...byScript, instruments: ['dodgeWarped'], people: 10, film: 'none' }, 2),
  again({ ...byScript, instruments: ['dodgeWarped'], people: 10, film: 'own' }, 2),
  again({ ...byScript, instruments: ['mosaic'], people: 8, film: 'none' }, 3),
  again({ ...byScript, instruments: ['mosaic'], people: 8, film: 'own' }, 3),
  again({ ...byScript, instruments: ['recorded'], people: 13 }, 5),
  again({ ...byScript, instruments: ['spliced'], people: 13 }, 5),
  attack({ ...byScript, instruments: ['still', 'jittered', 'warped', 'warpedLit'], people: 40 }),
  attack({ ...byScript, instruments: ['warpedGains', 'warpedAll', 'warpedBent'], people: 40 }),
  again({ ...byScript, instruments: ['warpedLiving', 'warpedGenerated', 'pasted'], people: 20 }, 2),
  again({ ...byScript, instruments: ['swap', 'puppet', 'generated'], people: 20 }, 5),
  again({ ...byScript, instruments: ['print', 'screen'], people: 20 }, 2),
  attack({ ...byScript, instruments: ['bent'], people: 6, film: 'sparse' }),
  ...(['other', 'otherNoisy', 'living', 'noisy', 'dark', 'flat', 'repeated'] as const).map((film) =>
    attack({ ...byScript, instruments: ['bent'], people: 40, film }),
  ),
  attack({ ...byKiosk, instruments: ['bent'], people: 4, film: 'none' }),
  attack({ ...byKiosk, instruments: ['bent'], people: 4, film: 'own' }),
]
