import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe } from 'vitest'
import { createCodeCache, type FaceServers } from '#server/features/recognition/recognition.ts'
import { some } from '../../e2e/support/length.ts'
import {
  hasPostgresServer,
  needsPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '../support/programs/postgres-server.ts'
import { openFaceServers } from '../support/recognition/face-servers.ts'
import { describeFaceIndex } from './face-indexing.ts'

/** Waits until all codes are in memory, so that every search runs in the process. */
function alwaysAtHand(): NonNullable<FaceServers['codeCache']> {
  const codes = createCodeCache({ mostCodes: Number.POSITIVE_INFINITY, leastCodes: 0, now: Date.now })
  return {
    async near(...asked) {
      for (;;) {
        const near = await codes.near(...asked)
        if (near !== undefined) return near
        await pause(1)
      }
    },
  }
}

describeFaceIndex('the memory of the process', async () => ({ faceIndex: 'memory' }))

describe.skipIf(!hasPostgresServer)(`an index on servers${needsPostgresServer}`, () => {
  let server: PostgresServer
  const opened: ReturnType<typeof openFaceServers>[] = []
  const databases = ['one', 'two', 'three']

  /** Databases on one server act as separate servers, because they do not share anything. */
  async function addressesOf(count: number): Promise<readonly string[]> {
    if (server === undefined) {
      server = await startPostgresServer()
      for (const name of databases)
        await server.sql(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
    }
    return databases.slice(0, count).map((name) => server.address.replace(/postgres$/, name))
  }
  async function open(count: number, codeCache?: FaceServers['codeCache']) {
    const tag = `EU${count}${codeCache ? 'H' : ''}`
    const faceServers = openFaceServers(await addressesOf(count), tag, () => undefined, codeCache)
    opened.push(faceServers)
    return { faceServers: faceServers.servers, faceIndex: 'postgres' } as const
  }
  afterAll(async () => {
    for (const each of opened) await each.close()
    await server?.stop()
  })

  const kinds = [
    ['three PostgreSQL servers, codes at hand', () => open(3, alwaysAtHand())],
    ['a PostgreSQL server', () => open(1)],
    ['three PostgreSQL servers', () => open(3)],
  ] as const
  for (const [name, indexUnderTest] of some(kinds)) describeFaceIndex(name, indexUnderTest)
})
