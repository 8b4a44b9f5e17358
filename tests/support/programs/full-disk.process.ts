import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openLmdbStore } from '#server/platform/store/drivers/lmdb.ts'
import { createSteadyStore } from '#server/platform/store/steady-store.ts'
import { putOf, WriteFailed } from '#server/platform/store/store.ts'

/**
 * A process that cannot grow files beyond a certain size, as on a full disk: FOLDER. Prints what its store did. Node
 * ignores the signal that comes with this, so that a write fails the way it does without space.
 */
const [folder = ''] = process.argv.slice(2)
const room = 512 * 1024
const value = Buffer.alloc(20_000, 'x')
const limitFiles = (bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])

const told: (string | undefined)[] = []
const embedded = openLmdbStore(folder)
const store = createSteadyStore(embedded, {
  onChange: (trouble) => told.push(trouble),
  triedAgainAfterInMilliseconds: 50,
})
await store.put('before', value)
limitFiles(statSync(join(folder, 'data.mdb')).size + room)
const acknowledged: string[] = []
let refusal: unknown
for (let i = 0; i < 1000 && refusal === undefined; i++) {
  const keys = [`${i} a`, `${i} b`]
  const writes = keys.map((key) => putOf(key, value))
  await store.commit(writes, []).then(
    () => acknowledged.push(...keys),
    (error: { code: string }) => {
      refusal = error.code
    },
  )
}
const direct = await embedded.put('large', Buffer.alloc(room)).catch((error: unknown) => error)
const readWhileFull = await keptOf(acknowledged)
const partsOfRefused = await keptOf([`${acknowledged.length / 2} a`, `${acknowledged.length / 2} b`])
limitFiles('unlimited')
while (store.trouble() !== undefined) await new Promise((over) => setTimeout(over, 10))
await store.put('after', value)
await store.close()
const again = openLmdbStore(folder)
process.stdout.write(
  JSON.stringify({
    acknowledged: acknowledged.length,
    refusal,
    isWriteFailed: direct instanceof WriteFailed && direct.message,
    readWhileFull,
    partsOfRefused,
    told,
    after: (await again.get('after'))?.length,
    kept: await keptOf(acknowledged),
  }),
)
await again.close()

async function keptOf(keys: readonly string[]): Promise<number> {
  let kept = 0
  for (const key of keys) {
    const found = Promise.resolve(key).then(store.get)
    if ((await found.catch(() => again.get(key)))?.length === value.length) kept++
  }
  return kept
}
