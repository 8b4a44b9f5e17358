import { afterEach, expect, test } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { useSwitch } from '#web/console/shell/use-switch.ts'
import { en } from '#web/console/wording/en.ts'
import { type RunHook, runHook, toolsWith } from '../run-hook.ts'

let run: RunHook<undefined, ReturnType<typeof useSwitch>>
afterEach(() => run.end())

function switching(mayLeave: boolean, problem?: Problem) {
  const did: unknown[] = []
  const tools = toolsWith({})
  run = runHook(useSwitch, undefined, {
    ...tools,
    tell: (text) => void did.push(text),
    membership: {
      ...tools.membership,
      switchTo: async () => {
        if (problem !== undefined) throw problem
        did.push('switched')
      },
    },
    navigation: {
      address: { peek: () => ({ page: 'sessions', parts: ['one'], query: {} }) },
      mayLeave: () => mayLeave,
      go: (to: unknown) => void did.push(to),
    } as never,
  })
  return did
}

test('closes what was open of the other data', async () => {
  const did = switching(true)
  await run.now({ environment: 'test' })
  expect(did).toEqual(['switched', { page: 'sessions', parts: [] }])
})

test('reports a failure, and stays', async () => {
  const did = switching(true, new Problem('forbidden', 'No.'))
  await run.now({ environment: 'test' })
  expect(did).toEqual([en.problem.code.forbidden.title])
})

test('does nothing if the person stays for unsaved changes', async () => {
  const did = switching(false)
  await run.now({ environment: 'test' })
  expect(did).toEqual([])
})
