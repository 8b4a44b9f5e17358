import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogue } from '#shared/contract/catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { hosts, type Role } from '#shared/hosts.ts'
import { endpoints } from '../support/contract/endpoints.ts'
import { ask, expectProblem, expectResult } from './ask.ts'
import { cases } from './cases.ts'
import { recordAnswer, writeAnswers } from './recorded-answers.ts'
import { type Setting, startSetting } from './setting.ts'

let setting: Setting
beforeAll(async () => {
  setting = await startSetting()
})
afterAll(() => {
  writeAnswers()
  return setting.close()
})

describe.each([...endpoints])('%s', (name, endpoint) => {
  test('has a case for each declared status, and for no other', ({ task }) => {
    task.meta.tried = { endpoint: name }
    expect(Object.keys(cases[name] ?? {}).map(Number)).toEqual([200, ...endpoint.errors].sort())
  })

  test.for(Object.entries(cases[name] ?? {}))('answers %s', async ([status, make], { task }) => {
    task.meta.tried = { endpoint: name, status: Number(status) }
    const answer = await ask(setting, endpoint, await make(setting))
    if (status === '200') {
      expectResult(endpoint, answer)
      recordAnswer(endpoint, answer)
    } else expectProblem(answer, Number(status))
  })
})

test('every case belongs to an endpoint', () => {
  expect(Object.keys(cases).filter((name) => !endpoints.has(name))).toEqual([])
})

test('every role is in the catalogue, under its base path', () => {
  expect(Object.keys(catalogue)).toEqual(Object.keys(hosts))
  for (const [role, endpointsOf] of Object.entries(catalogue)) {
    for (const endpoint of Object.values<Endpoint>(endpointsOf)) {
      const basePath = ['/v1/healthz', '/v1/readyz'].includes(endpoint.path)
        ? '/v1'
        : hosts[role as Role].basePath
      expect(endpoint.path.startsWith(`${basePath}/`)).toBe(true)
    }
  }
})

test('no two endpoints share a name', () => {
  const all = Object.values(catalogue).flatMap((role) => Object.values<Endpoint>(role))
  expect(endpoints.size).toBe(new Set(all).size)
})
