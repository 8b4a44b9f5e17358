/** What the provider answers itself, by path below its issuer: the methods that it takes. */
const routes: Readonly<Record<string, readonly string[]>> = {
  '/.well-known/openid-configuration': ['GET', 'HEAD'],
  '/jwks': ['GET', 'HEAD'],
  '/auth': ['GET', 'HEAD', 'POST'],
  '/par': ['POST'],
  '/token': ['POST'],
  '/userinfo': ['GET', 'HEAD', 'POST'],
  '/revoke': ['POST'],
}

const resumed = /^\/auth\/[\w-]{1,100}$/
const visit = /^\/visit\/([\w-]{1,100})(\/done)?$/

/** What a request below an issuer asks for. */
export type OpenidRequest =
  | { readonly kind: 'provider'; readonly route: string; readonly methods: readonly string[] }
  | { readonly kind: 'visit' | 'done'; readonly route: string; readonly uid: string }

/** Undefined for a path that is none of ours. */
export function readRequest(path: string): OpenidRequest | undefined {
  if (Object.hasOwn(routes, path)) return { kind: 'provider', route: path, methods: routes[path]! }
  if (resumed.test(path)) return { kind: 'provider', route: '/auth/:uid', methods: ['GET', 'HEAD'] }
  const [, uid, done] = visit.exec(path) ?? []
  if (uid === undefined) return undefined
  return done === undefined
    ? { kind: 'visit', route: '/visit/:uid', uid }
    : { kind: 'done', route: '/visit/:uid/done', uid }
}

/** Whether a person's browser asks, and not a site's server. */
export function isOfBrowser({ route }: OpenidRequest): boolean {
  return route.startsWith('/auth') || route.startsWith('/visit')
}

/** What a client authenticates at. */
export function takesSecrets({ route }: OpenidRequest): boolean {
  return route === '/token' || route === '/par' || route === '/revoke'
}
