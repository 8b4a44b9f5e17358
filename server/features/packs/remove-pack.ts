import type { PackName } from '#models/rules/packs.ts'
import { deletePack } from './install-pack.ts'
import { PackFault } from './pack-fault.ts'
import { usersOf } from './pack-users.ts'

interface Removal {
  readonly pack: PackName
  readonly packsDir: string
  /** How many collections pin its models; throws where the store cannot be asked. */
  readonly countPinned: () => Promise<number>
  /** The operator knows of the collections, or that the store cannot be asked. */
  readonly althoughPinned: boolean
  readonly now: () => number
}

/**
 * Removes a pack that nobody uses. [Note: A pack in use stays] A server that runs with it would not come up again; and
 * collections whose faces have embeddings of it would be compared by the first one alone, as long as it is away.
 * @throws {PackFault} saying who uses it
 */
export async function removePack(removal: Removal): Promise<void> {
  const { pack, packsDir, countPinned, althoughPinned, now } = removal
  const users = await usersOf(pack, packsDir, now)
  if (users.length > 0) {
    const named = users.map(({ host, pid }) => `process ${pid} on ${host}`).join(', ')
    throw new PackFault(`A running server uses the ${pack} pack: ${named}. Stop it first.`)
  }
  if (!althoughPinned) await refusePinned(pack, countPinned)
  await deletePack(pack, packsDir)
}

async function refusePinned(pack: PackName, countPinned: Removal['countPinned']): Promise<void> {
  const pinned = await countPinned().catch((error: Error) => {
    throw new PackFault(
      `The store cannot be asked which collections pin the ${pack} pack: ${error.message.replace(/\.$/, '')}. If none does, or it does not matter, repeat with --although-pinned.`,
    )
  })
  if (pinned === 0) return
  throw new PackFault(
    `Collections that pin models of the ${pack} pack: ${pinned}. Without it their faces are compared by the first embedding alone; the second ones stay, sealed, for when it is installed again. If that is meant, repeat with --although-pinned.`,
  )
}
