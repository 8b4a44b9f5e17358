import type { Layer } from '@koa/router'
import type Koa from 'koa'
import { afterAll, describe, expect, test } from 'vitest'
import { openidRoutes } from '#server/features/openid/requests.ts'
import { createMemoryStore } from '#server/platform/store/drivers/memory.ts'
import type { Store, Write } from '#server/platform/store/store.ts'
import { catalogue } from '#shared/contract/catalogue.ts'
import { consoleCatalogue } from '#shared/contract/console/console-catalogue.ts'
import { type Leaves, leftBehind, mostLeftBehind, mostLeftBy } from '#shared/contract/left-behind.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { addedTo, holdingOf, isOfCaller } from '../support/left-behind/store-difference.ts'
import { strangersCalls } from '../support/left-behind/strangers.ts'
import { startProvider } from '../support/openid/site.ts'
import { newVerification } from '../support/visit.ts'

/** The default of `RATE_LIMIT_INITS`. */
const openingsAMinute = 30

let now = () => Date.now()
const written: string[] = []
const store = recordingStore(createMemoryStore(() => now()))
const host = await startProvider({
  store,
  demo: true,
  ports: { attemptLimit: 1000, openingsAMinute: 10_000 },
})
now = host.now
afterAll(() => host.close())

/** A store that notes the keys that are written. */
function recordingStore(inner: Store): Store {
  const note = (key: string) => void written.push(key)
  return {
    ...inner,
    commit(writes: readonly Write[], guards) {
      for (const { key } of writes) note(key)
      return inner.commit(writes, guards)
    },
    put(key, ...rest) {
      note(key)
      return inner.put(key, ...rest)
    },
    putIfAbsent(key, ...rest) {
      note(key)
      return inner.putIfAbsent(key, ...rest)
    },
  }
}

interface Route {
  readonly method: string
  readonly path: string
  readonly leaves: Leaves
  /** Takes no credential; to every other one is sent that is wrong. */
  readonly isOpen: boolean
  readonly body?: unknown
}

const endpoints: readonly Endpoint[] = [...Object.values(catalogue), consoleCatalogue].flatMap((group) =>
  Object.values<Endpoint>(group),
)

/** Every route that the product serves: what its routers hold, and what the OpenID provider answers. */
function routesOf(app: Koa): Route[] {
  const routers = app.middleware.flatMap((one) => {
    const { router } = one as { readonly router?: { readonly stack: readonly Layer[] } }
    return router === undefined ? [] : router.stack
  })
  const mounted = routers.flatMap(({ path, methods }) =>
    // Koa answers HEAD with what answers GET.
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

/** @returns the keys that a call has written, but for those that are there whoever calls */
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
  test('is nothing on every route that does not say what', async () => {
    const verificationId = await newVerification(host, { securityConfig: { forceSignedInput: false } })
    const routes = routesOf(host.app)
    expect(routes.length).toBeGreaterThan(150)
    // The demo makes the verification of a choice once, for whoever comes first.
    await host.fetch('/demo')
    const found: Record<string, string[]> = {}
    for (const route of routes) {
      if (route.leaves !== 'nothing') continue
      const keys = await writtenBy(() => callAsStranger(route, { verificationId }))
      if (keys.length > 0) found[`${route.method} ${route.path}`] = keys
    }
    expect(found).toEqual({})
  })

  test('is found where a route does not say so', async () => {
    expect(await writtenBy(() => store.put('session/planted', Buffer.from('a'), 60))).toEqual([
      'session/planted',
    ])
  })

  test('is no more than declared, and stays no longer, on every route that says what', async () => {
    const calls = await strangersCalls(host)
    const declared = routesOf(host.app).filter(({ leaves }) => leaves !== 'nothing')
    const measured = calls.map(({ route }) => route.split(/[, ]/).find((part) => part.startsWith('/')))
    for (const { path } of declared) expect(measured, path).toContain(path)
    for (const { route, leaves, prepare } of calls) {
      const call = await prepare()
      const before = await holdingOf(store)
      const status = await call()
      await host.services.auditLog.move('all')
      const { bytes, seconds } = addedTo(before, await holdingOf(store), host.now())
      expect(status, route).toBeLessThan(500)
      expect(bytes, route).toBeLessThanOrEqual(leftBehind[leaves].bytes)
      expect(seconds, route).toBeLessThanOrEqual(leftBehind[leaves].seconds)
    }
    expect(host.errors).toEqual([])
  })

  test('is at most 16 MB of an address by any route, and 64 MB by all of them, at the default limits', () => {
    const declared = routesOf(host.app).filter(({ leaves }) => leaves !== 'nothing')
    const kinds = new Set(declared.map(({ leaves }) => leaves))
    const most = [...kinds].map((leaves) => mostLeftBy(leaves, openingsAMinute))
    expect(Math.max(...most)).toBeLessThanOrEqual(mostLeftBehind.byRoute)
    // What several routes leave of one kind counts against one limit.
    expect(most.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(mostLeftBehind.byAll)
  })
})
