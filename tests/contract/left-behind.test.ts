import type { Layer } from '@koa/router'
import type Koa from 'koa'
import { afterAll, describe, expect, test } from 'vitest'
import { openidRoutes } from '#server/features/openid/requests.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import { createSteadyStore } from '#server/platform/store/steady-store.ts'
import { type Store, type Write, WriteFailed } from '#server/platform/store/store.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { type LeftBehindKind, leftBehind, mostLeftBehind, mostLeftBy } from '#shared/left-behind.ts'
import { Problem } from '#shared/problem.ts'
import { addedTo, holdingOf, isOfCaller } from '../support/left-behind/store-difference.ts'
import { strangersCalls } from '../support/left-behind/strangers.ts'
import { startProvider } from '../support/openid/site.ts'
import { newVerification } from '../support/visit.ts'

/** The default for `RATE_LIMIT_INITS`. */
const openingsAMinute = 30

let now = () => Date.now()
const written: string[] = []
let isFull = false
const store = createSteadyStore(recordingStore(createMemoryStore(() => now())), { onChange: () => {} })
const host = await startProvider({
  store,
  demo: true,
  ports: { attemptLimit: 1000, openingsAMinute: 10_000 },
})
now = host.now
afterAll(() => host.close())

/** A store that records which keys are written and accepts none once it is full. A steady store only writes through commits. */
function recordingStore(inner: Store): Store {
  return {
    ...inner,
    async commit(writes: readonly Write[], guards) {
      if (isFull) throw new WriteFailed('No space left on device')
      written.push(...writes.map(({ key }) => key))
      return inner.commit(writes, guards)
    },
  }
}

interface Route {
  readonly method: string
  readonly path: string
  readonly leaves: LeftBehindKind
  /** True if it needs no credential. Other endpoints receive an invalid one. */
  readonly isOpen: boolean
  readonly body?: unknown
}

const endpoints: readonly Endpoint[] = [...Object.values(catalogue), consoleCatalogue].flatMap((group) =>
  Object.values<Endpoint>(group),
)

/** All of the product's routes: its routers' and the OpenID provider's. */
function routesOf(app: Koa): Route[] {
  const routers = app.middleware.flatMap((one) => {
    const { router } = one as { readonly router?: { readonly stack: readonly Layer[] } }
    return router === undefined ? [] : router.stack
  })
  const mounted = routers.flatMap(({ path, methods }) =>
    // Koa answers HEAD requests with the GET handler.
    methods
      .filter((method) => method !== 'HEAD')
      .map((method): Route => {
        const endpoint = endpoints.find((one) => one.path === path && one.method === method)
        const { leaves = 'nothing', example, auth = 'none' } = endpoint ?? {}
        return { method, path: String(path), leaves, body: example?.body, isOpen: auth === 'none' }
      }),
  )
  const provided = Object.entries(openidRoutes).flatMap(([path, { methods, leaves }]) =>
    methods.map((method): Route => ({ method, path: `/openid${path}`, leaves, isOpen: true })),
  )
  return [...mounted, ...provided]
}

/** @returns the keys that a call writes, except for shared ones */
async function writtenBy(call: () => Promise<unknown>): Promise<string[]> {
  written.length = 0
  await call()
  return written.filter(isOfCaller)
}

async function callAsStranger({ method, path, isOpen, body = {} }: Route, ids: Record<string, string>) {
  const address = path.replace(/:(\w+)/g, (_all, name) => ids[name] ?? 'x')
  const sent = method === 'GET' || method === 'HEAD' ? {} : { body: JSON.stringify(body) }
  const credential: Record<string, string> = isOpen ? {} : { authorization: 'ApiKey wrong' }
  const headers = { 'content-type': 'application/json', ...credential }
  const answer = await host.fetch(address, { method, headers, ...sent })
  expect(answer.status, `${method} ${path}`).not.toBe(500)
  await answer.body?.cancel()
}

describe('what a call without a credential leaves in the store', () => {
  test('is nothing on every route that declares nothing', async () => {
    const verificationId = await newVerification(host, { securityConfig: { forceSignedInput: false } })
    const routes = routesOf(host.app)
    expect(routes.length).toBeGreaterThan(150)
    // The demo creates each choice's verification once, on its first call.
    await host.fetch('/demo')
    const found: Record<string, string[]> = {}
    for (const route of routes) {
      if (route.leaves !== 'nothing') continue
      const keys = await writtenBy(() => callAsStranger(route, { verificationId }))
      if (keys.length > 0) found[`${route.method} ${route.path}`] = keys
    }
    expect(found).toEqual({})
  })

  test('is detected if a route does not declare it', async () => {
    expect(await writtenBy(() => store.put('session/planted', Buffer.from('a'), 60))).toEqual([
      'session/planted',
    ])
  })

  test('is no more than declared, and is kept no longer, on every route with a declaration', async () => {
    const calls = await strangersCalls(host)
    const declared = routesOf(host.app).filter(({ leaves }) => leaves !== 'nothing')
    const measured = calls.map(({ route }) => route.split(/[, ]/).find((part) => part.startsWith('/')))
    for (const { path } of declared) expect(measured, path).toContain(path)
    for (const { route, leaves, prepare } of calls) {
      const call = await prepare()
      const before = await holdingOf(store)
      const { status } = await call()
      await host.services.auditLog.move('all')
      const { bytes, seconds } = addedTo(before, await holdingOf(store), host.now())
      expect(status, route).toBeLessThan(500)
      expect(bytes, route).toBeLessThanOrEqual(leftBehind[leaves].bytes)
      expect(seconds, route).toBeLessThanOrEqual(leftBehind[leaves].seconds)
    }
    expect(host.errors).toEqual([])
  })

  test('is at most 16 MB per address by any single route, and 64 MB by all of them, at the default limits', () => {
    const declared = routesOf(host.app).filter(({ leaves }) => leaves !== 'nothing')
    const kinds = new Set(declared.map(({ leaves }) => leaves))
    const most = [...kinds].map((leaves) => mostLeftBy(leaves, openingsAMinute))
    expect(Math.max(...most)).toBeLessThanOrEqual(mostLeftBehind.byRoute)
    // Routes of the same kind share one limit.
    expect(most.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(mostLeftBehind.byAll)
  })
})

test('is refused with a 503 and a retry time if the store is full, and never causes a 500', async () => {
  const prepared = []
  // Variants of a route take additional steps before and after the call.
  const routes = (await strangersCalls(host)).filter(({ route }) => !route.includes(','))
  for (const { route, prepare } of routes) prepared.push({ route, call: await prepare() })
  isFull = true
  const answers = []
  for (const { route, call } of prepared) answers.push({ route, ...shown(await call()) })
  isFull = false
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.map(({ retryAfter }) => retryAfter)).toEqual(refused.map(() => '5'))
  // Without a provider, or with an invalid invitation code, there is nothing to write.
  const answered = answers.filter(({ status }) => status !== 503).map(({ route, status }) => [route, status])
  expect(answered).toEqual([
    ['/console/api/invitation/finish', 404],
    ['/console/api/openid/finish', 404],
  ])
  const pages = refused.filter(({ type }) => type.startsWith('text/html')).map(({ route }) => route)
  expect(pages.every((route) => /\/openid\/(auth|visit)/.test(route))).toBe(true)
  const programs = refused.filter(({ route }) => /\/openid\/(par|token)/.test(route))
  expect(programs.map(({ type }) => type)).toEqual(programs.map(() => 'application/problem+json'))
  // Counts that could not be shared are reported, as expected.
  expect(host.errors.filter((error) => !(error instanceof Problem))).toEqual([])
})

function shown({ status, headers }: Pick<Response, 'status' | 'headers'>) {
  return { status, retryAfter: headers.get('retry-after'), type: headers.get('content-type') ?? '' }
}
