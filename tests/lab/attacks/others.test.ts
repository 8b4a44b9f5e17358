import { expect, test } from 'vitest'
import type { Forgery, Subject } from '#lab/attacks/forgery.ts'
import { withFilmsOfOthers } from '#lab/attacks/others.ts'

const people = ['anna', 'berta', 'carla'].map(
  (name): Subject => ({ name, forge: (session) => ({ of: `${name} ${session}` }) as unknown as Forgery }),
)
const forgedWith = async (subjects: readonly Subject[]) =>
  (await withFilmsOfOthers({} as never, 'other', subjects)).map(({ forge }) => forge(1))

test('each person has the film of the next one, in a session of its kind alone', async () => {
  expect(await forgedWith(people)).toEqual([
    { of: 'anna 1', other: { of: 'berta 1001' } },
    { of: 'berta 1', other: { of: 'carla 2001' } },
    { of: 'carla 1', other: { of: 'anna 3001' } },
  ])
})

test('a person alone has no other whose film could be sent', async () => {
  await expect(forgedWith(people.slice(0, 1))).rejects.toThrow('needs a second person')
})

test('films of one’s own need no other person', async () => {
  expect(await withFilmsOfOthers({} as never, 'own', people)).toBe(people)
})
