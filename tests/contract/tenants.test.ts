import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../support/contract/endpoints.ts'
import { ask, expectProblem, expectResult } from './ask.ts'
import { cases } from './cases.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => setting.close())

/** Endpoints that refer to something in an account, and answer with 404 if the account does not have it. */
const ofResources = [...endpoints].filter(
  ([, { auth, errors }]) => ['key', 'key-or-bearer'].includes(auth) && errors.includes(404),
)

describe.each(ofResources)('%s', (name, endpoint) => {
  test("answers 404 for another account's, and leaves it unchanged", async ({ task }) => {
    task.meta.tried = { endpoint: name, rule: 'tenants' }
    const request = await cases[name]![200]!(setting)
    expectProblem(
      await ask(setting, endpoint, { ...request, authorization: request.stranger ?? setting.stranger }),
      404,
    )
    expectResult(endpoint, await ask(setting, endpoint, request))
  })
})

test('some endpoints refer to something of an account', () => {
  expect(ofResources.length).toBeGreaterThan(1)
})
