import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  hasRedisServer,
  needsRedisServer,
  type RedisServer,
  startRedisServer,
} from '../../tests/support/programs/redis-server.ts'
import { createProduct, type Form, type Product } from './product.ts'
import { type RoundsResult, runRounds, type Victim } from './rounds.ts'

/** The store that holds the faces. The product's server is killed, or in the last case, the Redis server behind it. */
export const storeCases = ['lmdb', 'redis', 'redis-server'] as const
export type StoreCase = (typeof storeCases)[number]

interface Settings {
  readonly cases: readonly StoreCase[]
  readonly rounds: number
  readonly short: boolean
}

export interface StoreResult extends RoundsResult {
  readonly case: StoreCase
  readonly form: Form
}

interface Pace {
  readonly rounds: number
  readonly workInMilliseconds: number
}

/** As run by verify, which takes a minute in total. */
const shortPace: Readonly<Record<Form, Pace>> = {
  built: { rounds: 1, workInMilliseconds: 1500 },
  drawn: { rounds: 2, workInMilliseconds: 1500 },
}
/** Settings that make Redis keep every write that it acknowledges. */
const keepsEveryWrite = ['--appendonly', 'yes', '--appendfsync', 'always']

/**
 * Kills servers while clients are working. In each case, half of the rounds use the build and photographs, and the other half use drawn pictures.
 * Analysing those takes no time, so each kill hits many more in-flight calls.
 */
export async function tortureStore({ cases, rounds, short }: Settings): Promise<StoreResult[]> {
  const results: StoreResult[] = []
  for (const name of cases) {
    if (name !== 'lmdb' && !hasRedisServer) {
      console.log(`\n${name} is left out${needsRedisServer}`)
      continue
    }
    for (const form of short && name !== 'lmdb' ? (['drawn'] as const) : (['built', 'drawn'] as const)) {
      console.log(`\n${name}, ${form} pictures`)
      const pace = short ? shortPace[form] : { rounds: Math.ceil(rounds / 2), workInMilliseconds: 3000 }
      results.push({ case: name, form, ...(await runCase(name, form, pace)) })
    }
  }
  return results
}

async function runCase(name: StoreCase, form: Form, pace: Pace): Promise<RoundsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-torture-'))
  const redis = name === 'lmdb' ? undefined : await startRedisServer(keepsEveryWrite)
  const product = createProduct(form, { DATA_DIR: folder, STORE: redis?.address ?? 'lmdb' })
  const started = Date.now()
  try {
    return await runRounds({
      form,
      ...pace,
      product,
      ...(name === 'redis-server' && { victim: asVictim(redis!, product) }),
      onRound: (round, { acknowledged, unanswered, refused }) => {
        const seconds = ((Date.now() - started) / 1000).toFixed(0)
        console.log(
          `  round ${round} of ${pace.rounds}: ${acknowledged} acknowledged, ${unanswered} unanswered, ${refused} refused (${seconds} s)`,
        )
      },
    })
  } finally {
    await product.kill()
    await redis?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function asVictim(redis: RedisServer, product: Product): Victim {
  return {
    kill: redis.kill,
    async resume() {
      await redis.start()
      await product.ready()
    },
  }
}
