import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSessionList } from '#web/console/sessions/use-session-list.ts'
import { type RunHook, runHook, settled, toolsWith } from '../run-hook.ts'

type Asked = { externalId?: string; cursor?: string }
type Page = { sessions: readonly unknown[]; cursor: string | null }

let run: RunHook<Asked, ReturnType<typeof useSessionList>>
let asked: (Asked & { answer: (page: Page) => void })[]
let look: () => void

beforeEach(() => {
  asked = []
  vi.stubGlobal('document', {
    visibilityState: 'visible',
    addEventListener: (_: string, hear: () => void) => {
      look = hear
    },
    removeEventListener: () => undefined,
  })
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
  const getSessions = (given: Asked) => new Promise((answer) => void asked.push({ ...given, answer }))
  run = runHook(useSessionList, { externalId: 'ann' }, toolsWith({ configuration: { getSessions } }))
})

afterEach(async () => {
  run.end()
  // Work that is scheduled after a frame still finds its page.
  await settled()
  vi.unstubAllGlobals()
})

const session = (of: string, second: number) => ({
  verificationSessionId: `${of}${second}`,
  createdAt: new Date(second * 1000).toISOString(),
})
const shown = () => run.now.list.shown.map(({ verificationSessionId: id }) => id)
test('late rows of other filters are not appended', async () => {
  await settled()
  asked[0]!.answer({ sessions: [session('ann', 3)], cursor: 'more of ann' })
  await settled()
  void run.now.more()
  run.give({ externalId: 'bob' })
  expect([shown(), run.now.cursor]).toEqual([[], null])
  await settled()
  expect(asked.map(({ externalId, cursor }) => [externalId, cursor])).toEqual([
    ['ann', undefined],
    ['ann', 'more of ann'],
    ['bob', undefined],
  ])
  asked[2]!.answer({ sessions: [session('bob', 9)], cursor: 'more of bob' })
  await settled()
  asked[1]!.answer({ sessions: [session('ann', 2)], cursor: null })
  await settled()
  expect([shown(), run.now.cursor]).toEqual([['bob9'], 'more of bob'])
})

test('starts over with a new cursor if a whole page arrived meanwhile', async () => {
  await settled()
  asked[0]!.answer({ sessions: [session('ann', 2), session('ann', 1)], cursor: 'old' })
  await settled()
  look()
  asked[1]!.answer({ sessions: [session('ann', 9), session('ann', 8)], cursor: 'new' })
  await settled()
  expect([shown(), run.now.cursor]).toEqual([['ann9', 'ann8'], 'new'])
})
