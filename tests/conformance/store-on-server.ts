import { describe, expect, test } from 'vitest'
import { putOf, type Store } from '#server/platform/store/store.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** The behaviour required of every store on a server, for processes that open it under the same or under different names. */
export function storeOnServerConformance(name: string, open: (tag: string) => Promise<Store>): void {
  describe(`${name}, opened by several processes`, () => {
    test('shows one process what another has written', async () => {
      const [one, other] = [await open('shared'), await open('shared')]
      await one.put('a', bytes('one'))
      expect(await other.putIfAbsent('a', bytes('two'))).toBe(false)
      expect(await other.commit([putOf('a', bytes('three'))], [{ key: 'a', value: bytes('one') }])).toBe(true)
      expect(Buffer.from((await one.get('a'))!).toString()).toBe('three')
      await Promise.all([one.close(), other.close()])
    })

    test('keeps two regions apart', async () => {
      const [one, other] = [await open('EU'), await open('US')]
      await one.put('a', bytes('one'))
      expect(await other.get('a')).toBeUndefined()
      await Promise.all([one.close(), other.close()])
    })
  })
}
