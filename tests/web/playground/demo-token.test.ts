import { expect, test, vi } from 'vitest'
import { createDemoToken } from '#web/playground/demo-token.ts'

const origin = 'https://check.example'
const bearer = (token: string, seconds: number) =>
  Response.json({ token, expirationUtcTime: new Date(Date.now() + seconds * 1000).toJSON() })

test('calls at the same time share one token, and it is kept until it nears its end', async () => {
  const answers = [bearer('short', 30), bearer('long', 900)]
  const fetch = vi.fn(async () => answers.shift()!)
  const tokenOfDemo = createDemoToken(origin, fetch)
  expect(await Promise.all([tokenOfDemo(), tokenOfDemo()])).toEqual(['short', 'short'])
  expect(await Promise.all([tokenOfDemo(), tokenOfDemo()])).toEqual(['long', 'long'])
  expect(await tokenOfDemo()).toBe('long')
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('a refusal is said as it is, and the next call asks anew', async () => {
  const refusal = { code: 'too_many_requests', detail: 'Too many requests.' }
  const answers = [Response.json(refusal, { status: 429 }), bearer('token', 900)]
  const tokenOfDemo = createDemoToken(origin, async () => answers.shift()!)
  await expect(tokenOfDemo()).rejects.toMatchObject({ status: 429, message: 'Too many requests.' })
  expect(await tokenOfDemo()).toBe('token')
})
