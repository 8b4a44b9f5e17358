import { expect, test, vi } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { createEarlySending } from '#web/capture/flow/early-sending.ts'
import type { EarlyBatch } from '#web/capture/sending/submit.ts'

const picture = (time: number) => ({ bytes: Uint8Array.of(time), time })

/** A server that gives these answers one after another, and then accepts everything. */
function start(...answers: (Error | undefined)[]) {
  const sent: EarlyBatch[] = []
  const submitPictures = vi.fn(async (_token: string, batch: EarlyBatch) => {
    sent.push(batch)
    const error = answers.shift()
    if (error !== undefined) throw error
    return {}
  })
  const film = { take: (frames: readonly { time: number }[]) => frames.map(({ time }) => picture(time + 1)) }
  return { sent, ...createEarlySending({ submitPictures }, () => 'token', film) }
}

test('batches are numbered within their step, one after the other, with the film up to them', async () => {
  const { sent, handIn, end } = start()
  handIn(0, picture(1))
  handIn(0, picture(2))
  await end()()
  handIn(1, picture(3))
  await end()()
  expect(sent.map(({ step, batch }) => [step, batch])).toEqual([
    [0, 1],
    [0, 2],
    [1, 1],
  ])
  expect(sent[0]!.trail).toEqual([picture(2)])
})

test('a batch whose answer was lost is sent again under its number before the step ends', async () => {
  const { sent, handIn, end } = start(new TypeError('no network'), undefined)
  handIn(1, picture(1))
  await end()()
  expect(sent.map(({ batch }) => batch)).toEqual([1, 1])
})

test('a batch that did not arrive is sent before later ones, so that times never go back', async () => {
  const { sent, handIn, end } = start(new TypeError('no network'), new TypeError('no network'))
  for (const time of [1, 2, 3]) handIn(1, picture(time))
  await end()()
  expect(sent.map(({ batch }) => batch)).toEqual([1, 1, 1, 2, 3])
})

test('a batch that the server will never take is not sent again', async () => {
  const { sent, handIn, end } = start(new Problem('step_not_open', 'Not open.'))
  handIn(1, picture(1))
  await end()()
  expect(sent).toHaveLength(1)
})

test('a step is not submitted while one of its batches has yet to arrive', async () => {
  const lost = () => new TypeError('no network')
  const { sent, handIn, end } = start(lost(), lost())
  handIn(1, picture(1))
  const arrived = end()
  await expect(arrived()).rejects.toThrow('still to be sent')
  await arrived()
  expect(sent.map(({ batch }) => batch)).toEqual([1, 1, 1])
})
