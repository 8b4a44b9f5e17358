import { once } from 'node:events'
import { loadavg } from 'node:os'
import { startChild } from '#lab/child.ts'
import { moveCollection } from '../../../server/features/recognition/transfer/move-collection.ts'
import { startPostgresServer } from '../../../tests/support/programs/postgres-server.ts'
import { buildSides, fileOf } from '../built-sides.ts'
import type { Gallery } from '../search/gallery.ts'
import { accountId, collectionId, fillStore, openDeployment } from './filled-servers.ts'
import { newcomerSides, serverSettings } from './newcomer-sides.ts'
import type { Newcomers, NewcomersOrder } from './newcomers-side.ts'

const callsAtOnce = 2

/**
 * Moves a collection to a PostgreSQL server and back while another process searches it and adds newcomers. Reports the outcome of that process's
 * calls.
 */
export async function benchMoves(
  gallery: Gallery,
  size: number,
  word: string,
): Promise<Record<string, number>> {
  await buildSides(newcomerSides)
  const server = await startPostgresServer({ settings: serverSettings })
  try {
    const addresses = { store: server.address, servers: [server.address] }
    const deployment = await openDeployment(addresses, 'process', 'memory')
    console.log(`  a move: filling the store with ${word} faces (load ${loadavg()[0]!.toFixed(1)})`)
    await fillStore(deployment, gallery, size)
    const measured: Record<string, number> = {}
    for (const to of ['postgres', 'memory'] as const) {
      const child = startChild(fileOf(newcomerSides, 'newcomers-side'))
      const order: NewcomersOrder = {
        ...{ addresses, faceIndex: 'memory', warmUpMilliseconds: 0, atOnce: callsAtOnce },
        milliseconds: Number.POSITIVE_INFINITY,
        parts: gallery.queries.slice(0, 500),
      }
      child.send(order)
      // After the first answer, calls are in flight.
      await once(child, 'message')
      const started = performance.now()
      await moveCollection(deployment.access, { accountId, collectionId, to })
      const seconds = (performance.now() - started) / 1000
      child.send('end')
      const [{ calls, kept, failed, longestMilliseconds }] = (await once(child, 'message')) as [Newcomers]
      child.kill()
      console.log(
        `    to ${to} within ${seconds.toFixed(0)} s: ${calls} calls meanwhile, ${kept} kept, ${failed} failed, the longest ${longestMilliseconds.toFixed(0)} ms; load ${loadavg()[0]!.toFixed(1)}`,
      )
      measured[`move.to.${to}.secondsAt${word}`] = seconds
      measured[`move.to.${to}.callsAt${word}`] = calls
      measured[`move.to.${to}.failedAt${word}`] = failed
      measured[`move.to.${to}.longestMsAt${word}`] = longestMilliseconds
    }
    await deployment.close()
    return measured
  } finally {
    await server.stop()
  }
}
