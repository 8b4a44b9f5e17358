import { readFileSync } from 'node:fs'
import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { followEmbedder } from '#web/capture/flow/embedder.ts'
import type { Situation } from '#web/capture/machine/state.ts'
import { cameraCauses, type LinkProblem } from '#web/wording/findings.ts'

const situationOf = (state: object) => ({ state, context: {} }) as unknown as Situation

function follow(place: 'alone' | 'frame' | 'popup') {
  const posted: unknown[] = []
  const situation = signal(situationOf({ name: 'opening' }))
  followEmbedder({ place, post: (message) => void posted.push(message) }, situation)
  return { posted, go: (state: object) => Object.assign(situation, { value: situationOf(state) }) }
}

test.each(['frame', 'popup'] as const)('a page in a %s announces itself, and each problem once', (place) => {
  const { posted, go } = follow(place)
  go({ name: 'cameraProblem', cause: 'blocked' })
  go({ name: 'cameraProblem', cause: 'dismissed' })
  go({ name: 'asking' })
  go({ name: 'cameraProblem', cause: 'blockedBySystem' })
  go({ name: 'linkProblem', problem: 'gone' })
  const denied = { problem: 'denied' }
  expect(posted).toEqual([{ shown: true }, denied, denied, { problem: 'expired' }])
})

test('a page without a parent sends nothing', () => {
  const { posted, go } = follow('alone')
  go({ name: 'linkProblem', problem: 'gone' })
  expect(posted).toEqual([])
})

test.each([
  [{ name: 'timeOver', redirectUrl: null, offline: false }, 'expired'],
  [{ name: 'moved', refused: false }, 'moved'],
])('a page that ends without an outcome reports it', (state, problem) => {
  const { posted, go } = follow('frame')
  go(state)
  expect(posted.at(-1)).toEqual({ problem })
})

const linkProblems: Record<LinkProblem, true> = {
  missing: true,
  wrong: true,
  gone: true,
  tooMany: true,
  unreachable: true,
  finished: true,
}

test('the messages match the documentation', () => {
  const page = readFileSync(new URL('../../../../docs/integrate.md', import.meta.url), 'utf8')
  const [list = ''] = /`onProblem` receives[\s\S]*?\n- /.exec(page) ?? []
  const listed = [...list.matchAll(/`(\w+)`/g)].map(([, word]) => word).slice(1)
  const { posted, go } = follow('frame')
  const all = [
    ...Object.keys(linkProblems).map((problem) => ({ name: 'linkProblem', problem })),
    ...cameraCauses.map((cause) => ({ name: 'cameraProblem', cause })),
    { name: 'timeOver' },
    { name: 'moved' },
  ]
  for (const state of all) {
    go({ name: 'asking' })
    go(state)
  }
  const sent = (posted as { problem?: string }[]).flatMap(({ problem }) => problem ?? [])
  expect(new Set(listed)).toEqual(new Set(sent))
})
