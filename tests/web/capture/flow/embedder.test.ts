import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { followEmbedder } from '#web/capture/flow/embedder.ts'
import type { Situation } from '#web/capture/machine/state.ts'

const situationOf = (state: object) => ({ state, context: {} }) as unknown as Situation

function follow(place: 'alone' | 'frame' | 'popup') {
  const posted: unknown[] = []
  const situation = signal(situationOf({ name: 'opening' }))
  followEmbedder({ place, post: (message) => void posted.push(message) }, situation)
  return { posted, go: (state: object) => Object.assign(situation, { value: situationOf(state) }) }
}

test.each(['frame', 'popup'] as const)(
  'a page in a %s tells that it is there, and each problem once',
  (place) => {
    const { posted, go } = follow(place)
    go({ name: 'cameraProblem', cause: 'denied' })
    go({ name: 'cameraProblem', cause: 'denied' })
    go({ name: 'asking' })
    go({ name: 'cameraProblem', cause: 'denied' })
    go({ name: 'linkProblem', problem: 'expired' })
    const denied = { problem: 'denied' }
    expect(posted).toEqual([{ shown: true }, denied, denied, { problem: 'expired' }])
  },
)

test('a page that stands alone tells nobody', () => {
  const { posted, go } = follow('alone')
  go({ name: 'linkProblem', problem: 'expired' })
  expect(posted).toEqual([])
})
