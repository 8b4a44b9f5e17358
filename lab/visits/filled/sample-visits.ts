import type { Scene } from '../../../tests/support/drawn/fake-picture.ts'

/** How a visit of the sample ends. */
export type SampleEnd = 'submitted' | 'declined' | 'noCamera' | 'closedBefore' | 'closedAfter'

export interface SampleVisit {
  readonly userAgent: string
  readonly externalId: string
  /** How long the visit takes. */
  readonly seconds: number
  readonly end: SampleEnd
  readonly scene: Scene
  readonly isAtTheDoor: boolean
}

const agents = [
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36',
]
/** Most people use a phone. */
const shares = [0, 0, 1, 1, 0, 1, 2, 3, 0, 3]

/** Of each hundred visits, these end in another way than with a pass. */
const odd: Readonly<Record<number, Partial<SampleVisit> & { readonly shown?: Partial<Scene> }>> = {
  3: { shown: { age: 15 } },
  9: { end: 'declined' },
  14: { shown: { person: null } },
  22: { end: 'closedAfter' },
  27: { shown: { age: 16 } },
  35: { end: 'closedBefore' },
  41: { shown: { others: 2 }, isAtTheDoor: true },
  48: { end: 'noCamera' },
  55: { shown: { age: 14 } },
  63: { shown: { frameQuality: 0.1 } },
  70: { shown: { person: 'known to the house' } },
  78: { end: 'closedBefore' },
  86: { end: 'closedAfter' },
  93: { shown: { age: 17 } },
}

/** Any number of visits, always the same ones. */
export function sampleVisit(number: number): SampleVisit {
  const { shown = {}, ...more } = odd[number % 100] ?? {}
  const person = `visitor ${number % 160}`
  return {
    userAgent: agents[shares[number % shares.length]!]!,
    externalId: `user-${1000 + (number % 160)}`,
    seconds: 14 + ((number * 7) % 23) + (number % 17 === 0 ? 40 : 0),
    end: 'submitted',
    isAtTheDoor: number % 3 === 1,
    ...more,
    scene: { person, age: 24 + (number % 40), shot: number, ...shown },
  }
}
