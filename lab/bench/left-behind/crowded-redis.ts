import { openStore } from '../../../server/platform/store/open-store.ts'
import { strangersCalls } from '../../../tests/support/left-behind/strangers.ts'
import { startProvider } from '../../../tests/support/openid/site.ts'
import { startRedisServer } from '../../../tests/support/programs/redis-server.ts'
import { newVerification, visit } from '../../../tests/support/visit.ts'

const strangers = 1200

/**
 * Sends enough calls to fill what used to be the limit of a 100 MB Redis, without a rate limit: half of them sign-ins with the largest `state`, and
 * half of them pushed requests from a public client. Then opens a session and judges it.
 * @throws if one of the calls is rejected or the session does not pass
 */
export async function benchCrowdedRedis(): Promise<Record<string, number>> {
  const server = await startRedisServer(['--maxmemory', '100mb', '--maxmemory-policy', 'noeviction'])
  const where = { dataDir: '', storeAddress: server.address, region: 'EU' } as const
  const { store, bytes, writes } = await openStore(where, (error) => console.error(error))
  const host = await startProvider({ store })
  const empty = await bytes()
  const asked = (await strangersCalls(host)).filter(({ route }) => /^\/openid\/(auth|par)$/.test(route))
  const prepared = await Promise.all(asked.map(({ prepare }) => prepare()))
  for (let i = 0; i < strangers; i++) {
    const { status } = await prepared[i % prepared.length]!()
    if (status >= 400) throw new Error(`Call ${i + 1} was answered with ${status}.`)
  }
  const crowded = await bytes()
  const { result } = await visit(host, await newVerification(host), { person: 'a' })
  const figures = {
    'leftBehind.crowdedRedis.calls': strangers,
    'leftBehind.crowdedRedis.bytesTaken': crowded - empty,
    'leftBehind.crowdedRedis.mostBytes': 100 * 1024 * 1024,
    'leftBehind.crowdedRedis.writesRefused': writes.failures(),
    'leftBehind.crowdedRedis.sessionPassed': Number(result.verificationResult === 'Pass'),
  }
  await host.close()
  await store.close()
  await server.stop()
  if (result.verificationResult !== 'Pass') throw new Error('The session did not pass.')
  return figures
}
