import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useDraft } from '#web/console/core/use-draft.ts'
import { en } from '#web/console/wording/en.ts'
import { type RunHook, runHook, settled, toolsWith } from '../run-hook.ts'

let run: RunHook<string, ReturnType<typeof useDraft<string>>>
let holds: (() => boolean)[]
let warned: number

beforeEach(() => {
  holds = []
  warned = 0
  vi.stubGlobal('addEventListener', () => warned++)
  vi.stubGlobal('removeEventListener', () => warned--)
  vi.stubGlobal('confirm', (text: string) => text !== en.shell.leaveUnsaved)
  const navigation = {
    hold(ask: () => boolean) {
      holds.push(ask)
      return () => void holds.splice(holds.indexOf(ask), 1)
    },
  }
  const tools = { ...toolsWith({}), words: { value: en, peek: () => en }, navigation }
  run = runHook((saved) => useDraft(saved, Object.is), 'saved', tools as never)
})

afterEach(async () => {
  run.end()
  await settled()
  vi.unstubAllGlobals()
})

test('asks before unsaved changes are left, until they are saved', async () => {
  run.now.change('changed')
  await settled()
  expect([run.now.isChanged, warned, holds.map((ask) => ask())]).toEqual([true, 1, [false]])
  run.now.keep('changed')
  await settled()
  expect([run.now.draft, run.now.isChanged, warned, holds.length]).toEqual(['changed', false, 0, 0])
  run.give('changed, as the server writes it')
  expect([run.now.draft, run.now.isChanged]).toEqual(['changed, as the server writes it', false])
})

test('a save elsewhere does not discard changes', async () => {
  run.give('saved elsewhere')
  expect([run.now.draft, run.now.isChanged]).toEqual(['saved elsewhere', false])
  run.now.change('changed')
  await settled()
  run.give('saved again')
  expect([run.now.draft, run.now.isChanged]).toEqual(['changed', true])
  run.now.discard()
  await settled()
  expect([run.now.draft, run.now.isChanged]).toEqual(['saved again', false])
})
