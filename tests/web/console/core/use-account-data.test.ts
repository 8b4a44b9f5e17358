import { afterEach, expect, test } from 'vitest'
import { usePages } from '#web/console/core/use-account-data.ts'
import { type RunHook, runHook, settled, toolsWith } from '../run-hook.ts'

interface Page {
  readonly rows: readonly string[]
  readonly next: string | null
}

let run: RunHook<string, ReturnType<typeof usePages<Page, string>>>
afterEach(() => run.end())

/** A list of rows, newest first, with two per page. A cursor is the last row before it. */
function listOf(rows: string[]) {
  const held: (() => void)[] = []
  const state = { rows, isHeld: false, release: () => held.splice(0).forEach((go) => void go()) }
  const ask = async (filter: string, cursor?: string): Promise<Page> => {
    const fitting = state.rows.filter((row) => row.startsWith(filter))
    const from = cursor === undefined ? 0 : fitting.indexOf(cursor) + 1
    const page = fitting.slice(from, from + 2)
    if (state.isHeld) await new Promise<void>((go) => void held.push(go))
    return { rows: page, next: from + 2 < fitting.length ? page.at(-1)! : null }
  }
  run = runHook(
    (filter) =>
      usePages(
        (cursor) => ask(filter, cursor),
        (page) => page,
        (row) => row,
        [filter],
      ),
    'a',
    toolsWith({}),
  )
  return state
}

test('no row is lost between the first page and later ones when others arrive above', async () => {
  const list = listOf(['a4', 'a3', 'a2', 'a1', 'a0'])
  await settled()
  await run.now.showMore()
  await settled()
  expect(run.now.rows).toEqual(['a4', 'a3', 'a2', 'a1'])
  for (const row of ['a5', 'a6']) {
    list.rows.unshift(row)
    run.now.found.reload()
    await settled()
  }
  expect(run.now.rows).toEqual(['a6', 'a5', 'a4', 'a3', 'a2', 'a1'])
  await run.now.showMore()
  await settled()
  expect(run.now.rows).toEqual(['a6', 'a5', 'a4', 'a3', 'a2', 'a1', 'a0'])
  expect(run.now.hasMore).toBe(false)
})

test('a row that was removed from the first page disappears, and known ones below stay', async () => {
  const list = listOf(['a5', 'a4', 'a3', 'a2', 'a1'])
  await settled()
  await run.now.showMore()
  await settled()
  list.rows = ['a5', 'a3', 'a2', 'a1']
  run.now.found.reload()
  await settled()
  expect(run.now.rows).toEqual(['a5', 'a3', 'a2'])
})

test('starts over if more than a page arrived at once', async () => {
  const list = listOf(['a2', 'a1', 'a0'])
  await settled()
  await run.now.showMore()
  await settled()
  list.rows.unshift('a5', 'a4', 'a3')
  run.now.found.reload()
  await settled()
  expect(run.now.rows).toEqual(['a5', 'a4'])
  await run.now.showMore()
  await settled()
  expect(run.now.rows).toEqual(['a5', 'a4', 'a3', 'a2'])
})

test('a late page is not appended to rows of another query', async () => {
  const list = listOf(['a2', 'a1', 'a0', 'b1', 'b0'])
  await settled()
  list.isHeld = true
  void run.now.showMore()
  run.give('b')
  expect([run.now.rows, run.now.hasMore]).toEqual([[], false])
  await settled()
  list.release()
  await settled()
  expect(run.now.rows).toEqual(['b1', 'b0'])
})
