import { existsSync } from 'node:fs'
import { type PackName, packs } from '#models/rules/packs.ts'
import { storeFolder } from '#server/platform/store/open-store.ts'
import { openServices } from './opening.ts'
import type { Settings } from './settings.ts'

/** How many collections, across all accounts, pin a pack's second model. @throws if the store cannot be opened */
export async function countPinned(settings: Settings, pack: PackName): Promise<number> {
  const { secondModel } = packs[pack]
  const isNew = settings.storeAddress === undefined && !existsSync(storeFolder(settings))
  if (secondModel === undefined || isNew) return 0
  const { services, close } = await openServices(settings, false)
  try {
    let count = 0
    for (const { accountId } of await services.accounts.list()) {
      for await (const collection of services.recognition.access.list(accountId)) {
        if (collection.secondModel === secondModel) count++
      }
    }
    return count
  } finally {
    await close()
  }
}
