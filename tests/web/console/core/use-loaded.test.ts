import { afterEach, expect, test } from 'vitest'
import { useLoaded } from '#web/console/core/use-loaded.ts'
import { type RunHook, runHook, settled } from '../run-hook.ts'

let run: RunHook<string, ReturnType<typeof useLoaded<string>>>
afterEach(() => run.end())

test('shows no answer for another key, and marks the previous one', async () => {
  const answers = new Map<string, (value: string) => void>()
  run = runHook(
    (key) => useLoaded(key, () => new Promise<string>((done) => void answers.set(key, done))),
    'a',
  )
  await settled()
  answers.get('a')!('of a')
  await settled()
  expect(run.now).toMatchObject({ value: 'of a', last: 'of a', isLoading: false })
  const late = run.now.set
  run.give('b')
  expect(run.now).toMatchObject({ value: undefined, last: 'of a', isLoading: true })
  await settled()
  late('of a, later')
  await settled()
  expect(run.now).toMatchObject({ value: undefined, last: 'of a', isLoading: true })
  answers.get('b')!('of b')
  await settled()
  expect(run.now).toMatchObject({ value: 'of b', isLoading: false })
})

test('a problem belongs to its key only', async () => {
  run = runHook(
    (key) =>
      useLoaded(key, () =>
        key === 'a' ? Promise.reject(new Error('no')) : new Promise<string>(() => undefined),
      ),
    'a',
  )
  await settled()
  expect(run.now.problem).toBeInstanceOf(Error)
  run.give('b')
  expect(run.now.problem).toBeUndefined()
})
