import { setTimeout as pause } from 'node:timers/promises'
import { grownIn, type MemoryCount } from '#lab/torture/memory.ts'
import { openTestIssuer } from '#lab/torture/openid/test-sign-in.ts'
import { type BuiltServer, startBuiltServer } from '../../../tests/support/programs/built-server.ts'
import { benchStarts } from './starts.ts'

const codes = Number(process.env.BENCH_OPENID_CODES ?? 10_000)
const countings = 8
const concurrency = 4
const mebibyte = 1024 * 1024

/**
 * Sign-ins at the built server's OpenID provider, each up to a redeemed code. Measures how much the server's memory grows between the second and the
 * last quarter, and the time per sign-in. The sessions are tests, so no picture is analysed. Before that, measures how long a start takes with and
 * without the provider.
 */
export async function benchOpenid(): Promise<Record<string, number>> {
  const starts = await benchStarts()
  const unlimited = { RATE_LIMIT_REQUESTS: 'off', RATE_LIMIT_INITS: 'off', RATE_LIMIT_LOGINS: 'off' }
  const server = await startBuiltServer({
    ...unlimited,
    OPENID_PROVIDER: 'on',
    LOG_LEVEL: 'error',
    DEMO: 'false',
  })
  try {
    while ((await fetch(`${server.origin}/v1/readyz`)).status !== 200) await pause(50)
    const issuer = await openTestIssuer(server)
    const each = Math.ceil(codes / countings)
    const counted: MemoryCount[] = [await count(server, 0)]
    const begun = performance.now()
    for (let i = 1; i <= countings; i++) {
      let left = each
      const workers = Array.from({ length: concurrency }, async () => {
        while (left-- > 0) {
          const status = await issuer.redeem(await issuer.signIn())
          if (status !== 200) throw new Error(`A code was answered with ${status}.`)
        }
      })
      await Promise.all(workers)
      counted.push(await count(server, i * each))
    }
    const seconds = (performance.now() - begun) / 1000
    const grown = grownIn(counted)
    return { codes: each * countings, codesPerSecond: (each * countings) / seconds, ...grown, ...starts }
  } finally {
    await server.stop()
  }
}

async function count(server: BuiltServer, of: number): Promise<MemoryCount> {
  const { resident, held } = await server.memory()
  return { of, residentMiB: resident / mebibyte, heldMiB: held / mebibyte }
}
