import type { LeftBehindKind } from '#shared/left-behind.ts'

/** A route's rules. */
interface Route {
  readonly methods: readonly string[]
  /** Records that a call without a credential may leave in the store. */
  readonly leaves: LeftBehindKind
}

/** The routes by path below the issuer; `readRequest` matches those with `:uid` by patterns. */
export const openidRoutes = {
  '/.well-known/openid-configuration': { methods: ['GET', 'HEAD'], leaves: 'nothing' },
  '/jwks': { methods: ['GET', 'HEAD'], leaves: 'nothing' },
  '/auth': { methods: ['GET', 'HEAD', 'POST'], leaves: 'signIn' },
  '/auth/:uid': { methods: ['GET', 'HEAD'], leaves: 'signIn' },
  '/par': { methods: ['POST'], leaves: 'pushedRequest' },
  '/token': { methods: ['POST'], leaves: 'token' },
  '/userinfo': { methods: ['GET', 'HEAD', 'POST'], leaves: 'nothing' },
  '/revoke': { methods: ['POST'], leaves: 'nothing' },
  '/visit/:uid': { methods: ['GET'], leaves: 'session' },
  '/visit/:uid/done': { methods: ['GET'], leaves: 'signIn' },
} as const satisfies Readonly<Record<string, Route>>

type OpenidRoute = keyof typeof openidRoutes

const resumed = /^\/auth\/[\w-]{1,100}$/
const visit = /^\/visit\/([\w-]{1,100})(\/done)?$/

/** A parsed request to one of the issuer's paths. */
export type OpenidRequest =
  | { readonly kind: 'provider'; readonly route: string; readonly methods: readonly string[] }
  | { readonly kind: 'visit' | 'done'; readonly route: string; readonly uid: string }

/** Undefined for a path that is not one of the provider's routes. */
export function readRequest(path: string): OpenidRequest | undefined {
  if (resumed.test(path)) return providerAt('/auth/:uid')
  if (isWhole(path)) return providerAt(path)
  const [, uid, done] = visit.exec(path) ?? []
  if (uid === undefined) return undefined
  return done === undefined
    ? { kind: 'visit', route: '/visit/:uid', uid }
    : { kind: 'done', route: '/visit/:uid/done', uid }
}

function isWhole(path: string): path is OpenidRoute {
  return Object.hasOwn(openidRoutes, path) && !path.includes(':')
}

function providerAt(route: OpenidRoute): OpenidRequest {
  return { kind: 'provider', route, methods: openidRoutes[route].methods }
}

/** True if the request comes from a person's browser instead of a site's server. */
export function isOfBrowser({ route }: OpenidRequest): boolean {
  return route.startsWith('/auth') || route.startsWith('/visit')
}

/** True for routes at which clients authenticate. */
export function takesSecrets({ route }: OpenidRequest): boolean {
  return route === '/token' || route === '/par' || route === '/revoke'
}
