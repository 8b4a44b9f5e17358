import { expect, test } from 'vitest'
import { createEarlyLine } from '#server/features/sessions/early-pictures/early-line.ts'
import { busy } from '#server/platform/running/places.ts'

/** Work that continues until the test ends it. */
function works() {
  const open: { readonly name: string; end(): void }[] = []
  return {
    names: () => open.map(({ name }) => name),
    work: (name: string) => () =>
      new Promise<string>((done) => {
        const one = {
          name,
          end() {
            open.splice(open.indexOf(one), 1)
            done(name)
          },
        }
        open.push(one)
      }),
    async end(name: string) {
      open.find((one) => one.name === name)!.end()
      await new Promise(setImmediate)
    },
  }
}

const place = (session: string, accountId = 'a') => ({ session, accountId })

test('two of a session are under way at a time, and as many of an account as there are workers', async () => {
  const { names, work, end } = works()
  const line = createEarlyLine(3)
  for (const name of ['a1', 'a2', 'a3']) void line.run(place('a'), work(name))
  for (const name of ['b1', 'b2']) void line.run(place('b'), work(name))
  void line.run(place('c', 'another'), work('c1'))
  await new Promise(setImmediate)
  expect(names()).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('a1')
  expect(names()).toEqual(['a2', 'b1', 'c1', 'a3'])
})

test('a session that somebody waits for goes first, and gives way no more', async () => {
  const { names, work, end } = works()
  const line = createEarlyLine(1)
  void line.run(place('a'), work('a1'))
  void line.run(place('b'), work('b1'))
  const early: boolean[] = []
  const last = line.run(place('c'), async (isEarly) => early.push(isEarly()))
  await new Promise(setImmediate)
  expect(names()).toEqual(['a1'])
  const calm = line.urge('c')
  await last
  expect(early).toEqual([false])
  calm()
  await end('a1')
  expect(names()).toEqual(['b1'])
})

test('what finds the server too busy is done later', async () => {
  const line = createEarlyLine(1)
  let tries = 0
  const done = await line.run(place('a'), async () => {
    if (++tries < 3) throw busy()
    return 'done'
  })
  expect([done, tries]).toEqual(['done', 3])
})
