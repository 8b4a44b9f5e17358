import { describe, expect, test } from 'vitest'
import { createOpenedEntries } from '#server/platform/store/sealed/opened-entries.ts'

function watched() {
  const asked: string[] = []
  const open = createOpenedEntries((key, stored) => {
    if (stored[0] === 0) throw new Error('altered')
    asked.push(key)
    return Uint8Array.of(...stored, 99)
  })
  return { asked, open }
}

describe('a record that every request reads', () => {
  test.each(['account/a/b', 'api-key/a/b'])(
    '(%s) is decrypted once as long as its sealed bytes are the same',
    (key) => {
      const { asked, open } = watched()
      const first = open(key, Uint8Array.of(1, 2))
      expect(open(key, Uint8Array.of(1, 2))).toBe(first)
      expect(asked).toEqual([key])
      expect([...open(key, Uint8Array.of(1, 3))]).toEqual([1, 3, 99])
      expect([...open(key, Uint8Array.of(1, 2))]).toEqual([1, 2, 99])
      expect(asked).toHaveLength(3)
    },
  )

  test('is decrypted for each key separately, whatever another one holds', () => {
    const { asked, open } = watched()
    open('account/a/b', Uint8Array.of(1, 2))
    open('account/a/c', Uint8Array.of(1, 2))
    expect(asked).toEqual(['account/a/b', 'account/a/c'])
  })

  test('is refused once it was altered, and then decrypted again', () => {
    const { asked, open } = watched()
    open('account/a/b', Uint8Array.of(1, 2))
    expect(() => open('account/a/b', Uint8Array.of(0, 2))).toThrow('altered')
    open('account/a/b', Uint8Array.of(1, 2))
    expect(asked).toHaveLength(2)
  })

  test.each([
    [1000, 1],
    [1001, 2],
  ])('is one of %d, of which the first is decrypted %d times in total', (count, times) => {
    const { asked, open } = watched()
    for (let i = 0; i < count; i++) open(`account/a/${i}`, Uint8Array.of(1))
    open('account/a/0', Uint8Array.of(1))
    expect(asked.filter((key) => key === 'account/a/0')).toHaveLength(times)
  })
})

test.each(['session/a/b', 'accounts/a/b', 'token-key/a/b'])(
  'any other record (%s) is decrypted each time',
  (key) => {
    const { asked, open } = watched()
    open(key, Uint8Array.of(1))
    open(key, Uint8Array.of(1))
    expect(asked).toHaveLength(2)
  },
)
