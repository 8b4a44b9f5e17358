import type { Context } from 'koa'
import { expect, it } from 'vitest'
import { answersTogether } from '#server/platform/http/responses/answers-together.ts'

const context = {} as Context

it('answers once all work of the same turn is done', async () => {
  const order: string[] = []
  const ask = async (name: string) => {
    await answersTogether(context, async () => void order.push(`worked on ${name}`))
    order.push(`answered ${name}`)
  }
  const first = ask('first')
  for (let i = 0; i < 50; i++) await Promise.resolve()
  await Promise.all([first, ask('second')])
  expect(order).toEqual(['worked on first', 'worked on second', 'answered first', 'answered second'])
})

it('waits for no later turn', async () => {
  const order: string[] = []
  const answered = answersTogether(context, async () => {}).then(() => order.push('answered'))
  setImmediate(() => setImmediate(() => order.push('the turn after the next')))
  await answered
  expect(order).toEqual(['answered'])
})

it('reports a failure at once', async () => {
  const failure = new Error('refused')
  await expect(answersTogether(context, () => Promise.reject(failure))).rejects.toBe(failure)
})
