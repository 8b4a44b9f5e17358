import { MessageChannel } from 'node:worker_threads'
import { expose, releaseProxy, transferHandlers, wrap } from 'comlink'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '#shared/problem.ts'
import { nodeEndpoint } from '#workers/node/node-endpoint.ts'
import { carryProblems } from '#workers/wire.ts'

const api = {
  refuse: (): void => {
    throw new Problem('unreadable_image', 'Half of it is missing.')
  },
  break: (): void => {
    throw new TypeError('a fault of ours')
  },
  breakOddly: (): void => {
    throw 'words'
  },
  add: (a: number, b: number) => a + b,
}

describe('the wire', () => {
  const standard = transferHandlers.get('throw')!
  afterAll(() => void transferHandlers.set('throw', standard))

  let channel: MessageChannel
  let far: ReturnType<typeof wrap<typeof api>>

  beforeEach(() => {
    carryProblems()
    channel = new MessageChannel()
    expose(api, nodeEndpoint(channel.port1))
    far = wrap<typeof api>(nodeEndpoint(channel.port2))
  })

  afterEach(() => {
    far[releaseProxy]()
    channel.port1.close()
  })

  test('carries answers', async () => {
    expect(await far.add(2, 3)).toBe(5)
  })

  test('carries a problem with its code and detail', async () => {
    const thrown = await far.refuse().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(Problem)
    expect(thrown).toMatchObject({ code: 'unreadable_image', message: 'Half of it is missing.' })
  })

  test('carries the name and the message of any other error', async () => {
    const thrown = await far.break().catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(Error)
    expect(thrown).not.toBeInstanceOf(Problem)
    expect(thrown).toMatchObject({ name: 'TypeError', message: 'a fault of ours' })
    await expect(far.breakOddly()).rejects.toThrow('words')
  })

  test('still carries answers after an error', async () => {
    await far.refuse().catch(() => undefined)
    expect(await far.add(1, 1)).toBe(2)
  })
})
