import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '#server/platform/store/store.ts'

/** What the stores of these files were made with. */
export const fixtureSecret = 'the secret of the stores in tests'

/** What is known of the store that a file holds. */
export interface Fixture {
  readonly apiKey: string
  readonly accountId: string
  readonly collectionId: string
  /** Of a revoked key. */
  readonly keyId: string
}

/** Puts the entries of a file beside this one into an empty store; answers what they hold. */
export async function fillFromFixture(store: Store, name: string): Promise<Fixture> {
  const [about, ...lines] = readFileSync(join(import.meta.dirname, name), 'utf8')
    .trim()
    .split('\n')
  for (const line of lines) {
    const [key, value] = JSON.parse(line) as [string, string]
    await store.put(key, Buffer.from(value, 'base64'))
  }
  return JSON.parse(about!) as Fixture
}
