import { expect, test, vi } from 'vitest'
import { createDemoToken } from '#web/playground/demo-token.ts'

const origin = 'https://check.example'
const bearer = (token: string, seconds: number) =>
  Response.json({ token, expirationUtcTime: new Date(Date.now() + seconds * 1000).toJSON() })

test('concurrent calls share one token, which is kept until shortly before it expires', async () => {
  const answers = [bearer('short', 30), bearer('long', 900)]
  const fetch = vi.fn(async () => answers.shift()!)
  const tokenOfDemo = createDemoToken(origin, fetch)
  expect(await Promise.all([tokenOfDemo(), tokenOfDemo()])).toEqual(['short', 'short'])
  expect(await Promise.all([tokenOfDemo(), tokenOfDemo()])).toEqual(['long', 'long'])
  expect(await tokenOfDemo()).toBe('long')
  expect(fetch).toHaveBeenCalledTimes(2)
})

test('a refusal is passed on, and the next call requests a token again', async () => {
  const refusal = { code: 'too_many_requests', detail: 'Too many requests.' }
  const answers = [Response.json(refusal, { status: 429 }), bearer('token', 900)]
  const tokenOfDemo = createDemoToken(origin, async () => answers.shift()!)
  await expect(tokenOfDemo()).rejects.toMatchObject({ status: 429, message: 'Too many requests.' })
  expect(await tokenOfDemo()).toBe('token')
})
