import type { Region } from '#shared/hosts.ts'
import type { Store } from './store.ts'
import { createTable, deployment } from './tables.ts'

/** Marks a new store with its region. @throws when the store belongs to another one: nothing may be shared */
export async function stampRegion(store: Store, region: Region): Promise<void> {
  const stamps = createTable<Region>(store, 'region')
  await stamps.insert(deployment, 'region', region)
  const found = await stamps.get(deployment, 'region')
  if (found !== region) throw new Error(`This store belongs to the region ${found}, not ${region}`)
}
