import type { Context } from 'koa'

const pages = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'`
const capture = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'`
const signIn = `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'`
const camera = 'camera=(self), microphone=(), geolocation=(), display-capture=()'
const noCamera = 'camera=(), microphone=(), geolocation=(), display-capture=()'

interface Row {
  csp: string
  opener: string
  embedder: string
  resource: string
  permissions: string
}

const rows = {
  api: {
    csp: `default-src 'none'; frame-ancestors 'none'`,
    opener: 'same-origin',
    embedder: 'require-corp',
    resource: 'same-origin',
    permissions: noCamera,
  },
  capture: {
    csp: `${capture}; frame-ancestors 'none'`,
    opener: 'same-origin',
    embedder: 'require-corp',
    resource: 'same-origin',
    permissions: camera,
  },
  framed: {
    csp: capture,
    opener: 'unsafe-none',
    embedder: 'require-corp',
    resource: 'cross-origin',
    permissions: camera,
  },
  popup: {
    csp: `${capture}; frame-ancestors 'none'`,
    opener: 'unsafe-none',
    embedder: 'unsafe-none',
    resource: 'same-origin',
    permissions: camera,
  },
  // The playground takes a picture if the operator starts the camera.
  console: {
    csp: `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    opener: 'same-origin',
    embedder: 'require-corp',
    resource: 'same-origin',
    permissions: camera,
  },
  // The previews of screens in the console: no camera, no network, no form, and framed only by the console.
  preview: {
    csp: `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    opener: 'same-origin',
    embedder: 'require-corp',
    resource: 'same-origin',
    permissions: noCamera,
  },
  swagger: {
    csp: `${pages}; form-action 'none'; frame-ancestors 'none'`,
    opener: 'same-origin',
    embedder: 'require-corp',
    resource: 'same-origin',
    permissions: noCamera,
  },
  // The provider's own pages and redirects. [Note: A sign-in may be a popup] A stricter opener policy, even on a redirect,
  // separates the popup from the site that opened it, and the site then assumes that it was closed.
  signIn: {
    csp: `${signIn}; form-action 'none'`,
    opener: 'unsafe-none',
    embedder: 'require-corp',
    resource: 'same-origin',
    permissions: noCamera,
  },
  // Text and its style, for people who open an address that does not exist.
  notice: {
    csp: `${signIn}; form-action 'none'`,
    opener: 'same-origin',
    embedder: 'require-corp',
    resource: 'same-origin',
    permissions: noCamera,
  },
  demo: {
    csp: `${pages}; frame-src 'self'; form-action 'self'; frame-ancestors 'none'`,
    opener: 'same-origin-allow-popups',
    embedder: 'unsafe-none',
    resource: 'same-origin',
    permissions: camera,
  },
} as const satisfies Record<string, Row>

export type ResponseKind = keyof typeof rows

/** The settings that the headers depend on. */
export interface HeaderSettings {
  readonly embedOrigins: readonly string[]
  readonly demo: boolean
  readonly https: boolean
}

/** The security headers for a kind of response, as in the security design's table. */
export function securityHeaders(kind: ResponseKind, settings: HeaderSettings): Record<string, string> {
  const row: Row = rows[kind]
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': kind === 'framed' ? `${row.csp}; ${ancestors(settings)}` : row.csp,
    'Cross-Origin-Opener-Policy': row.opener,
    'Cross-Origin-Embedder-Policy': row.embedder,
    'Cross-Origin-Resource-Policy': row.resource,
    'Permissions-Policy': row.permissions,
    ...(settings.https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    ...(kind === 'api' ? { 'Cache-Control': 'no-store' } : {}),
  }
}

/**
 * Headers that replace the `signIn` ones on a page that posts a form to a site. The request carries our origin, which the
 * site may compare with the origins from which it accepts posts.
 */
export function formHeaders(action: string, scriptHash: string): Record<string, string> {
  const { origin, protocol, hostname } = new URL(action)
  // A policy's source expression cannot name an IPv6 host.
  const target = hostname.startsWith('[') ? protocol : origin
  return {
    'Content-Security-Policy': `${signIn}; script-src '${scriptHash}'; form-action ${target}`,
    'Referrer-Policy': 'strict-origin',
  }
}

/** Sets a response kind's security headers, and nothing else. */
export function setSecurityHeaders(ctx: Context, kind: ResponseKind, settings: HeaderSettings): void {
  ctx.set(securityHeaders(kind, settings))
}

function ancestors({ embedOrigins, demo }: HeaderSettings): string {
  const allowed = demo ? ["'self'", ...embedOrigins] : embedOrigins
  return `frame-ancestors ${allowed.length === 0 ? "'none'" : allowed.join(' ')}`
}

/** Allows any origin to read a healthz or JWKS response. */
export function allowAnyOrigin(ctx: Context): void {
  ctx.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
}
