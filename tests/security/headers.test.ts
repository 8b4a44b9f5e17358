import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listStaticFiles } from '#server/platform/http/responses/static-files.ts'
import { type Host, startHost } from '../support/host.ts'
import { sendRaw } from '../support/raw-request.ts'

const s = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'`
const b = `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'`
const p = 'camera=(self), microphone=(), geolocation=(), display-capture=()'
const n = 'camera=(), microphone=(), geolocation=(), display-capture=()'

/** CSP, COOP, COEP, CORP and Permissions-Policy for each kind of answer. */
const rows = {
  capture: [`${b}; frame-ancestors 'none'`, 'same-origin', 'require-corp', 'same-origin', p],
  framed: [`${b}; frame-ancestors https://shop.example`, 'unsafe-none', 'require-corp', 'cross-origin', p],
  popup: [`${b}; frame-ancestors 'none'`, 'unsafe-none', 'unsafe-none', 'same-origin', p],
  console: [
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'same-origin',
    'require-corp',
    'same-origin',
    p,
  ],
  preview: [
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
    'same-origin',
    'require-corp',
    'same-origin',
    n,
  ],
  swagger: [
    `${s}; form-action 'none'; frame-ancestors 'none'`,
    'same-origin',
    'require-corp',
    'same-origin',
    n,
  ],
  demo: [
    `${s}; frame-src 'self'; form-action 'self'; frame-ancestors 'none'`,
    'same-origin-allow-popups',
    'unsafe-none',
    'same-origin',
    p,
  ],
  api: [`default-src 'none'; frame-ancestors 'none'`, 'same-origin', 'require-corp', 'same-origin', n],
  open: [`default-src 'none'; frame-ancestors 'none'`, 'same-origin', 'require-corp', 'cross-origin', n],
} as const

let host: Host
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-headers-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  await writeFile(join(folder, 'kiosk.html'), '<!doctype html><title>kiosk</title>')
  await writeFile(join(folder, 'assets', 'analysis.worker-1.js'), 'worker')
  await writeFile(join(folder, 'check-device.html'), '<!doctype html><title>device</title>')
  await writeFile(join(folder, 'playground.html'), '<!doctype html><title>playground</title>')
  await writeFile(join(folder, 'console.html'), '<!doctype html><title>console</title>')
  await writeFile(join(folder, 'console-preview.html'), '<!doctype html><title>preview</title>')
  await writeFile(join(folder, 'embed.js'), 'script')
  await writeFile(join(folder, 'element.js'), 'script')
  const headers = { embedOrigins: ['https://shop.example'], demo: false, https: true }
  host = await startHost({ demo: true, site: { headers, files: await listStaticFiles(folder) } })
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true })
})

function expectRow(headers: Headers, kind: keyof typeof rows): void {
  const names = [
    'content-security-policy',
    'cross-origin-opener-policy',
    'cross-origin-embedder-policy',
    'cross-origin-resource-policy',
    'permissions-policy',
  ]
  expect(names.map((name) => headers.get(name))).toEqual(rows[kind])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect(headers.get('set-cookie')).toBeNull()
  expect(headers.get('x-powered-by')).toBeNull()
  expect(headers.get('server')).toBeNull()
  if (kind === 'api') expect(headers.get('cache-control')).toBe('no-store')
}

describe('the headers of section 3 of the security design', () => {
  test.each([
    ['/verification/x', 'document', 200, 'capture'],
    ['/verification/session/x', 'document', 200, 'capture'],
    ['/assets/analysis.worker-1.js', 'worker', 200, 'capture'],
    ['/verification/x', 'iframe', 200, 'framed'],
    ['/verification/x', '', 200, 'framed'],
    ['/popup/x', 'document', 200, 'popup'],
    ['/handoff', 'document', 200, 'capture'],
    ['/handoff', 'iframe', 200, 'capture'],
    ['/kiosk', 'document', 200, 'capture'],
    ['/kiosk', 'iframe', 200, 'capture'],
    ['/check-device', 'document', 200, 'capture'],
    ['/check-device.html', 'document', 404, 'api'],
    ['/console', 'document', 302, 'console'],
    ['/console/preview/more', 'document', 302, 'console'],
    ['/console/preview', 'iframe', 200, 'preview'],
    ['/console/preview', 'document', 200, 'preview'],
    ['/console-preview.html', 'document', 404, 'api'],
    ['/swagger', 'document', 200, 'swagger'],
    ['/swagger/page.js', 'script', 200, 'swagger'],
    ['/demo', 'document', 200, 'demo'],
    ['/demo/result', 'document', 200, 'demo'],
    ['/demo/token', 'empty', 200, 'demo'],
    ['/demo/playground', 'document', 200, 'capture'],
    ['/playground.html', 'document', 404, 'api'],
    ['/v1/token/get', 'empty', 401, 'api'],
    ['/v1/verification/get', 'empty', 401, 'api'],
    ['/metrics', 'empty', 401, 'api'],
    ['/nothing', 'document', 404, 'api'],
    ['/v1/signature/create', 'empty', 405, 'api'],
    ['/v1/healthz', 'empty', 200, 'open'],
    ['/v1/readyz', 'empty', 200, 'open'],
    ['/.well-known/jwks.json', 'empty', 200, 'open'],
    ['/openapi.json', 'empty', 200, 'open'],
    ['/embed.js', 'script', 200, 'open'],
    ['/element.js', 'script', 200, 'open'],
  ] as const)('are set on %s as %s', async (path, destination, status, kind) => {
    const headers = destination === '' ? {} : { 'sec-fetch-dest': destination }
    const answer = await host.fetch(path, { headers })
    expect(answer.status).toBe(status)
    expectRow(answer.headers, kind)
  })

  test('are set on the answer to an invalid request', async () => {
    expectRow((await sendRaw(host.origin, 'nonsense\r\n\r\n')).headers, 'api')
  })

  test('are set on an answer to a key, and to a bad body', async () => {
    const headers = { authorization: `ApiKey ${host.apiKey}`, 'content-type': 'application/json' }
    expectRow((await host.fetch('/v1/token/get', { headers })).headers, 'api')
    const bad = await host.fetch('/v1/signature/create', { method: 'POST', headers, body: '{' })
    expect(bad.status).toBe(400)
    expectRow(bad.headers, 'api')
  })
})
