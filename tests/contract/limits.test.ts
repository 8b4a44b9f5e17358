import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../support/contract/endpoints.ts'
import { ask, expectProblem, expectResult } from './ask.ts'
import { limits } from './cases.ts'
import type { Limit } from './contract-case.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.close())

describe.each(Object.entries(limits))('%s', (name, ofEndpoint) => {
  const endpoint = endpoints.get(name)!
  const send = async (limit: Limit, value: unknown) =>
    ask(setting, endpoint, await limit.send(setting, value as never))

  describe.each(ofEndpoint.map((limit) => [limit.says, limit] as const))('%s', (_says, limit) => {
    test.for(limit.within.map(named))('takes %s', async ([_name, value], { task }) => {
      task.meta.tried = { endpoint: name, status: 200, limit: limit.says }
      expectResult(endpoint, await send(limit, value))
    })

    test.for(limit.beyond.map(named))('refuses %s', async ([_name, value], { task }) => {
      const { status = 400, pointer } = limit
      task.meta.tried = { endpoint: name, status, limit: limit.says }
      const problem = expectProblem(await send(limit, value), status)
      if (status === 400) expect(problem.errors?.map((fault) => fault.pointer)).toContain(pointer)
    })
  })
})

/** The value with a name for the report. Long ones are truncated. */
function named(value: unknown): [name: string, value: unknown] {
  const text = JSON.stringify(value) ?? String(value)
  return [text.length <= 60 ? text : `${text.slice(0, 20)}… (${text.length - 2} characters)`, value]
}
