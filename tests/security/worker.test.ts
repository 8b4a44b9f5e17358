import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listStaticFiles, withoutServiceWorker } from '#server/platform/http/responses/static-files.ts'
import { type Host, startHost } from '../support/host.ts'

let folder: string
const hosts: Host[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selfsame-worker-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), 'page')
  await writeFile(join(folder, 'service-worker.js'), 'keeps')
  await writeFile(join(folder, 'leaving-worker.js'), 'leaves')
  await writeFile(join(folder, 'manifest.webmanifest'), '{}')
  const headers = { embedOrigins: ['https://shop.example'], demo: false, https: true }
  const files = await listStaticFiles(folder)
  hosts.push(await startHost({ site: { headers, files } }))
  hosts.push(await startHost({ site: { headers, files: withoutServiceWorker(files) } }))
})
afterAll(async () => {
  await Promise.all(hosts.map((host) => host.close()))
  await rm(folder, { recursive: true })
})

describe('the service worker', () => {
  test('is requested again each time, under the policy of the page', async () => {
    const answer = await hosts[0]!.fetch('/service-worker.js')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('content-type')).toContain('javascript')
    const policy = answer.headers.get('content-security-policy')
    for (const rule of [
      "script-src 'self'",
      "connect-src 'self'",
      "worker-src 'self'",
      "manifest-src 'self'",
    ])
      expect(policy).toContain(rule)
  })

  test('may control every page of the origin, and no header widens that', async () => {
    const { headers } = await hosts[0]!.fetch('/service-worker.js')
    expect(headers.get('service-worker-allowed')).toBeNull()
  })

  test('is replaced by one that unregisters if pages are not to be cached', async () => {
    expect(await (await hosts[0]!.fetch('/service-worker.js')).text()).toBe('keeps')
    expect(await (await hosts[1]!.fetch('/service-worker.js')).text()).toBe('leaves')
  })

  test('has bare pages to cache, which no frame may show', async () => {
    const kinds = [
      ['/verification', 'same-origin', 'require-corp'],
      ['/popup', 'unsafe-none', 'unsafe-none'],
    ] as const
    for (const [path, opener, embedder] of kinds) {
      const answer = await hosts[0]!.fetch(path, { headers: { 'sec-fetch-dest': 'empty' } })
      expect(await answer.text()).toBe('page')
      expect(answer.headers.get('cross-origin-opener-policy')).toBe(opener)
      expect(answer.headers.get('cross-origin-embedder-policy')).toBe(embedder)
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  test('finds a manifest of the right kind', async () => {
    const { headers } = await hosts[0]!.fetch('/manifest.webmanifest')
    expect(headers.get('content-type')).toContain('application/manifest+json')
  })
})
