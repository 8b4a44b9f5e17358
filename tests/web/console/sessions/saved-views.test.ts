import { expect, test } from 'vitest'
import { readViews, removeView, saveView, shows } from '#web/console/sessions/saved-views.ts'

function memory(text?: string) {
  const kept = new Map(text === undefined ? [] : [['console-views', text]])
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  }
}

test('views are kept for each account, and one of the same name is replaced', () => {
  const storage = memory()
  saveView(storage, 'a', { name: 'Failed', query: { outcome: 'failed' } })
  saveView(storage, 'b', { name: 'Other', query: { state: 'Started' } })
  saveView(storage, 'a', { name: 'Phones', query: { device: 'phone', sort: '-time' } })
  const views = saveView(storage, 'a', { name: 'Failed', query: { outcome: 'left' } })
  expect(views).toEqual([
    { name: 'Phones', query: { device: 'phone', sort: '-time' } },
    { name: 'Failed', query: { outcome: 'left' } },
  ])
  expect(readViews(storage, 'a')).toEqual(views)
  expect(removeView(storage, 'a', 'Phones')).toEqual([views[1]])
  expect(readViews(storage, 'b')).toHaveLength(1)
})

test.each(['nonsense', '[]', '{"a":[{"name":1}]}', 'null'])(
  'invalid stored views are skipped: %s',
  (text) => {
    expect(readViews(memory(text), 'a')).toEqual([])
  },
)

test('a browser without storage still shows the view that was just saved', () => {
  const refusing = {
    getItem: () => {
      throw new Error('refused')
    },
    setItem: () => {
      throw new Error('refused')
    },
  }
  expect(saveView(refusing, 'a', { name: 'Failed', query: {} })).toEqual([{ name: 'Failed', query: {} }])
})

test('a view is recognised by its filters, in any order', () => {
  const view = { name: 'x', query: { outcome: 'failed', device: 'phone' } }
  expect(shows(view, { device: 'phone', outcome: 'failed' })).toBe(true)
  expect(shows(view, { outcome: 'failed' })).toBe(false)
  expect(shows(view, { outcome: 'failed', device: 'desk' })).toBe(false)
})
