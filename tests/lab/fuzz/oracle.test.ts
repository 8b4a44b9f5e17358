import { expect, test } from 'vitest'
import type { FuzzRequest } from '#lab/fuzz/fuzz-request.ts'
import { faultOf } from '#lab/fuzz/oracle.ts'

const request = (aim: string): FuzzRequest => ({
  ...{ aim, method: 'POST', target: '/', headers: [], body: undefined },
  ...{ manner: 'whole', done: [], isExact: true },
})
const answer = (status: number, body: object) => ({
  status,
  headers: new Map([['content-type', 'application/json']]),
  body: Buffer.from(JSON.stringify(body)),
})

test('a success has the status that the endpoint declares', () => {
  expect(faultOf(request('submitPictures'), answer(202, {}))).toBeUndefined()
  expect(faultOf(request('submitPictures'), answer(200, {}))).toContain('200, which is not declared')
  expect(faultOf(request('createHandoff'), answer(202, {}))).toContain('202, which is not declared')
})

test('the result of a success is compared with its definition, whatever its status', () => {
  expect(faultOf(request('submitPictures'), answer(202, { more: 1 }))).toContain('contradicts its definition')
})
