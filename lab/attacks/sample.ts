import type { Condition } from './living.ts'
import type { Wanted } from './run.ts'

/** A part of what is to be measured: each runs in a process of its own. */
export type Part = Pick<Wanted, 'instruments' | 'methods' | 'challenges' | 'living' | 'people' | 'sessions'> &
  Partial<Pick<Wanted, 'film' | 'asked'>>

type Attack = Omit<Part, 'living' | 'sessions'>

/** Attackers are given one session each: their number is what narrows the interval. */
const attack = (part: Attack): Part => ({ ...part, living: [], sessions: 1 })
const living = (condition: Condition, people: number): Part => ({
  ...{ instruments: [], methods: ['script'], challenges: ['Balanced'], living: [condition] },
  ...{ people, sessions: 1 },
})

const byScript = { methods: ['script'], challenges: ['Balanced'] } as const

/** Every kind of row that docs/attacks.md has to have, with as few people as tell something; the longest first. */
export const sample: readonly Part[] = [
  attack({ ...byScript, instruments: ['layers'], people: 12 }),
  attack({ ...byScript, instruments: ['bent'], people: 20, film: 'own' }),
  attack({ ...byScript, instruments: ['layers'], people: 6, challenges: ['Advanced'] }),
  living('bpcer', 18),
  attack({ ...byScript, instruments: ['bent'], people: 10, film: 'own', challenges: ['Advanced'] }),
  attack({ ...byScript, instruments: ['bent'], people: 20, film: 'none' }),
  attack({ ...byScript, instruments: ['bent'], people: 10, film: 'none', challenges: ['Advanced'] }),
  attack({ ...byScript, instruments: ['layers'], people: 6, asked: { leastAssurance: 'high' } }),
  attack({ ...byScript, instruments: ['dodge'], people: 12, film: 'none' }),
  attack({ ...byScript, instruments: ['dodge'], people: 12, film: 'own' }),
  attack({ ...byScript, instruments: ['dodgeWarped'], people: 8, film: 'none' }),
  attack({ ...byScript, instruments: ['mosaic'], people: 8, film: 'none' }),
  attack({ ...byScript, instruments: ['recorded'], people: 13 }),
  attack({ ...byScript, instruments: ['spliced'], people: 13 }),
  ...(['sparse', 'dark', 'flat', 'repeated'] as const).map((film) =>
    attack({ ...byScript, instruments: ['bent'], people: 6, film }),
  ),
  attack({ methods: ['kiosk'], challenges: ['Advanced'], instruments: ['bent'], people: 4, film: 'none' }),
  attack({ methods: ['kiosk'], challenges: ['Advanced'], instruments: ['bent'], people: 4, film: 'own' }),
]
