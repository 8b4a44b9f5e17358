import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { createClient } from 'redis'
import type { Contents } from '#lab/fixtures/contents.ts'

const folder = join(import.meta.dirname, '../support/stores')

/** A store that a former program made: see lab/fixtures. */
export function contentsOf(name: string): Contents {
  return JSON.parse(readFileSync(join(folder, `${name}.jsonl`), 'utf8')) as Contents
}

/** Puts an embedded store of a former program into a data folder. */
export function putStoreFile(name: string, dataDir: string): void {
  const store = join(dataDir, 'store')
  mkdirSync(store, { recursive: true, mode: 0o700 })
  writeFileSync(join(store, 'data.mdb'), unpacked(name), { mode: 0o600 })
}

/** Puts what a Redis server held for a former program into another one, with what was left of its time. */
export async function fillRedis(name: string, address: string): Promise<void> {
  const client = await createClient({ url: address }).connect()
  for (const line of unpacked(name).toString().split('\n')) {
    const [key, payload, left] = JSON.parse(line) as [string, string, number]
    await client.restore(key, Math.max(0, left), Buffer.from(payload, 'base64'))
  }
  await client.close()
}

function unpacked(name: string): Buffer {
  return brotliDecompressSync(readFileSync(join(folder, `${name}.br`)))
}
