import { Buffer } from 'node:buffer'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolderBlobs } from '#server/platform/store/blobs/folder-blobs.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { openKeyRing } from '#server/platform/store/sealed/open-key-ring.ts'
import type { VerificationConfig } from '#shared/contract/configuration/verification-config.ts'
import { submitSession, submitStep } from '#shared/contract/sessions/session.ts'
import { getEvidence } from '#shared/contract/sessions/session-evidence.ts'
import { trueJpeg } from '../../../../support/drawn/true-jpeg.ts'
import { type Host, startHost } from '../../../../support/host.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  startPostgresServer,
} from '../../../../support/programs/postgres-server.ts'
import {
  hasRedisServer,
  needsRedisServer,
  startRedisServer,
} from '../../../../support/programs/redis-server.ts'
import { consent, newVerification, openSession, problemOf } from '../../../../support/visit.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-evidence-'))
  folders.push(folder)
  return folder
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
}

/** The files that contain a picture or a large part of one, as bytes or as text. */
function filesWith(folder: string, pictures: readonly Buffer[]): string[] {
  const parts = pictures.map((picture) => picture.subarray(-120, -60))
  const texts = pictures.flatMap((picture) => [
    picture.toString('base64').slice(400, 480),
    picture.toString('hex').slice(800, 880),
  ])
  const traces = [...parts, ...texts.map((text) => Buffer.from(text)), Buffer.from('JFIF')]
  return filesIn(folder).filter((path) => {
    const bytes = readFileSync(path)
    return traces.some((trace) => bytes.includes(trace))
  })
}

const liveness = { type: 'Verification', evidence: 'optional' } as const

/** A whole visit with its film, in a deployment that keeps all its files in one folder. Returns the pictures that were sent. */
async function visited(host: Host, config: VerificationConfig) {
  const sent: Buffer[] = []
  const picture = async (width: number, acted?: string) => {
    const bytes = await trueJpeg({ person: 'anna', ...(acted && { acted }) }, width, (width * 3) / 4)
    sent.push(bytes)
    return bytes.toString('base64')
  }
  const opened = await openSession(
    host,
    await newVerification(host, { verifierConfigs: { liveness }, ...config }),
  )
  const { bearer, verificationSessionId } = opened
  host.pass(5000)
  const trail = [
    { bytes: await picture(96), time: 0 },
    { bytes: await picture(96), time: 500 },
  ]
  const first = { step: 0, frames: [{ bytes: await picture(640), time: 0 }], trail }
  const { next } = await host.call(submitStep, { bearer, body: first })
  const acting = { step: 1, frames: [{ bytes: await picture(640, next!.action), time: 900 }] }
  await host.call(submitStep, { bearer, body: acting })
  const frames = [{ bytes: await picture(640), time: 1800, challengeStep: 1 }]
  await host.call(submitSession, { bearer, body: { frames, consent } })
  const look = () => host.call(getEvidence, { query: { verificationSessionId } })
  return { sent, look }
}

/** Tests that apply to each store. Its files are in `dataDir`, or `flush` writes them there. */
function describeFiles(
  storeAddress: () => string | undefined,
  dataDir: () => string,
  flush: () => Promise<void>,
) {
  async function deployed(work: (host: Host) => Promise<readonly Buffer[]>): Promise<readonly Buffer[]> {
    const own = newFolder()
    const settings = {
      dataDir: storeAddress() === undefined ? dataDir() : own,
      storeAddress: storeAddress(),
      region: 'EU',
      secret: 'x'.repeat(32),
      secretPrevious: undefined,
      upkeep: { journalFile: undefined },
    } as const
    const opened = await openStore(settings, () => undefined)
    const { keyRing, store } = await openKeyRing(opened.store, settings as never)
    const blobs = opened.blobs ?? createFolderBlobs(join(dataDir(), 'evidence'))
    const host = await startHost({ store, ports: { keyRing, blobs } })
    try {
      return await work(host)
    } finally {
      await host.services.evidence.settle()
      await flush()
      await host.close()
      await store.close()
    }
  }

  test('contain no byte of a picture by default, and none in clear text if pictures are kept', async () => {
    const sent = await deployed(async (host) => {
      const visit = await visited(host, {})
      expect(await problemOf(visit.look())).toBe('evidence_not_kept')
      return visit.sent
    })
    expect(filesIn(dataDir()).length).toBeGreaterThan(0)
    expect(filesWith(dataDir(), sent)).toEqual([])
    expect(filesIn(dataDir()).filter((path) => path.includes('/evidence/'))).toEqual([])
    const kept = await deployed(async (host) => {
      const visit = await visited(host, {
        evidenceConfig: { keep: 'all' },
        privacyConfig: { purpose: 'To open an account' },
      })
      const { pictures, film } = await visit.look()
      expect([pictures.length, film.length]).toEqual([2, 2])
      return [...visit.sent, ...[...pictures, ...film].map(({ bytes }) => Buffer.from(bytes, 'base64'))]
    })
    expect(filesWith(dataDir(), kept)).toEqual([])
    const planted = join(dataDir(), 'planted')
    writeFileSync(planted, sent[2]!)
    expect(filesWith(dataDir(), sent)).toEqual([planted])
    rmSync(planted)
  })
}

describe('the files of a store, on LMDB', () => {
  const folder = newFolder()
  describeFiles(
    () => undefined,
    () => folder,
    async () => undefined,
  )
})

describe.skipIf(!hasRedisServer)(`the files of a store, on Redis${needsRedisServer}`, async () => {
  const folder = newFolder()
  const server = hasRedisServer
    ? await startRedisServer(['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'])
    : undefined
  afterAll(() => server?.stop())
  describeFiles(
    () => server!.address,
    () => folder,
    async () => undefined,
  )
})

describe.skipIf(!hasPostgresServer)(`the files of a store, on PostgreSQL${needsPostgresServer}`, async () => {
  const server = hasPostgresServer ? await startPostgresServer() : undefined
  afterAll(() => server?.stop())
  describeFiles(
    () => server!.address,
    () => server!.folder,
    async () => void (await server!.sql('CHECKPOINT')),
  )
})
