import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { listStaticFiles } from '#server/platform/http/responses/static-files.ts'
import { consoleOf } from '../../../../support/console-visitor.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import { sendRaw } from '../../../../support/raw-request.ts'

let host: Host
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-console-'))
  await writeFile(join(folder, 'console.html'), '<title>Console</title>')
  await writeFile(join(folder, 'console-preview.html'), '<title>Preview</title>')
  host = await startHost({ site: { files: await listStaticFiles(folder) } })
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = (path: string, name = new URL(consoleOf(host)).host) =>
  sendRaw(host.origin, `GET ${path} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)

describe("the console's page", () => {
  test.each(['/console', '/console/', '/console/sessions/4f2a', '/console/apis'])(
    'is a single document at %s',
    async (path) => {
      const { status, headers, body } = await ask(path)
      expect({ status, body }).toEqual({ status: 200, body: '<title>Console</title>' })
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('content-security-policy')).toContain("script-src 'self';")
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('permissions-policy')).toContain('camera=(self)')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    },
  )

  test.each([
    '/console.html',
    '/console-preview.html',
    '/consoles',
    '/console/api',
    '/console/api/',
    '/console/api/nothing',
  ])('is not at %s', async (path) => {
    expect((await ask(path)).status).toBe(404)
  })

  it('is served under the name of this machine, where passkeys work, and not under its IP address', async () => {
    const { status, headers } = await ask('/console/sessions?state=Failed', new URL(host.origin).host)
    expect({ status, to: headers.get('location') }).toEqual({
      status: 302,
      to: `${consoleOf(host)}/console/sessions?state=Failed`,
    })
  })

  it('is also served there to requests with an absolute address, whatever host it names', async () => {
    const { status, headers } = await ask('http://evil.example/console?a=1', new URL(host.origin).host)
    expect({ status, to: headers.get('location') }).toEqual({
      status: 302,
      to: `${consoleOf(host)}/console?a=1`,
    })
  })

  it('has the preview of the capture page next to it, under any name of this machine', async () => {
    const { status, body, headers } = await ask('/console/preview', new URL(host.origin).host)
    expect({ status, body }).toEqual({ status: 200, body: '<title>Preview</title>' })
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
  })

  it('stays at its address under a public name', async () => {
    const site = { files: await listStaticFiles(folder) }
    const other = await startHost({ site, ports: { origin: () => 'https://id.example' } })
    expect((await other.fetch('/console')).status).toBe(200)
    await other.close()
  })

  it('explains how to build it if it is missing', async () => {
    const bare = await startHost()
    const name = new URL(consoleOf(bare)).host
    const { status, body } = await sendRaw(
      bare.origin,
      `GET /console HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`,
    )
    expect(status).toBe(404)
    expect(body).toContain('npm run build')
    await bare.close()
  })

  it('is served by the configuration role only', async () => {
    const other = await startHost({ roles: ['liveness'], site: { files: await listStaticFiles(folder) } })
    expect((await other.fetch('/console')).status).toBe(404)
    expect((await other.fetch('/console/preview')).status).toBe(404)
    expect((await other.fetch('/console/api/me')).status).toBe(404)
    await other.close()
  })
})
