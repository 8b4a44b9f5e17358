import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dodge, Forgery, Moment } from '#lab/attacks/forgery.ts'
import { walk } from '#lab/attacks/methods/walk.ts'
import type { Action } from '#shared/contract/sessions/session.ts'

interface Sent {
  readonly step?: number
  readonly request?: string
  readonly trail?: readonly unknown[]
}

let server: Server
let address: string
/** The actions requested one after another, either after a picture or after asking for another action. */
let told: Action[]
let sent: Sent[]

beforeEach(async () => {
  sent = []
  server = createServer(async (request, response) => {
    sent.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    const action = request.url!.endsWith('submit-step') ? told.shift() : undefined
    const next =
      action === undefined ? null : { step: sent.length, action, size: null, timeLimitInSeconds: 9 }
    const answer = request.url!.endsWith('submit-step') ? { next, accepted: true } : { offersPasskey: true }
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => void server.close())

/** Records which moments were requested. */
function forgeryOf(dodge?: Dodge) {
  const shown: Moment[] = []
  const forgery: Forgery = {
    momentInMilliseconds: 1,
    ...(dodge && { dodge }),
    film: async () => [],
    async frames(moment, count) {
      shown.push(moment)
      return Array.from({ length: count }, () => Buffer.from(moment))
    },
  }
  return { forgery, shown }
}

const visit = (forgery: Forgery) => walk({ address, sessionToken: 'x', forgery, film: 'none' })

test('a forger without a dodge shows each requested action', async () => {
  told = ['turnLeft', 'smile']
  const { forgery, shown } = forgeryOf()
  expect(await visit(forgery)).toEqual({ offersPasskey: true })
  expect(shown).toEqual(['start', 'turnLeft', 'smile', 'end'])
  expect(sent.every((body) => body.trail === undefined)).toBe(true)
})

test('one that waits for a smile exchanges other actions, and shows a straight look if that is not possible', async () => {
  told = ['turnLeft', 'lookUp', 'lookUp', 'smile']
  const { forgery, shown } = forgeryOf({ shows: ['smile'], others: 'exchanged' })
  expect(await visit(forgery)).toEqual({ offersPasskey: true })
  expect(sent.map(({ request }) => request ?? 'pictures')).toEqual([
    ...['pictures', 'otherAction', 'otherAction', 'pictures', 'pictures', 'pictures'],
  ])
  expect(shown).toEqual(['start', 'start', 'smile', 'end'])
})

test('and leaves a session without a smile', async () => {
  told = ['turnLeft', 'lookUp']
  const { forgery, shown } = forgeryOf({ shows: ['smile'], others: 'failed' })
  expect(await visit(forgery)).toBeUndefined()
  expect(shown).toEqual(['start', 'start', 'start'])
})

test('one with pictures of some actions leaves at once if another one is requested', async () => {
  told = ['turnLeft', 'lookUp', 'smile']
  const { forgery, shown } = forgeryOf({ shows: ['turnLeft', 'smile'], others: 'left' })
  expect(await visit(forgery)).toBeUndefined()
  expect(shown).toEqual(['start', 'turnLeft'])
})
