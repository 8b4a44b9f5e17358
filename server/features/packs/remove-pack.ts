import type { PackName } from '#models/rules/packs.ts'
import { deletePack } from './install-pack.ts'
import { PackFault } from './pack-fault.ts'
import { listPackUsers } from './pack-users.ts'

interface Removal {
  readonly pack: PackName
  readonly packsDir: string
  /** How many collections pin its models; throws if the store is not available. */
  readonly countPinned: () => Promise<number>
  /** True if the operator accepts that collections pin the pack, or that the store is not available. */
  readonly althoughPinned: boolean
  readonly now: () => number
}

/**
 * Removes a pack that is not in use. [Note: A pack in use stays] A server that runs with the pack could not restart, and
 * collections with its embeddings would be compared by the first embedding alone until it is installed again.
 * @throws {PackFault} that names its users
 */
export async function removePack(removal: Removal): Promise<void> {
  const { pack, packsDir, countPinned, althoughPinned, now } = removal
  const users = await listPackUsers(pack, packsDir, now)
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
      `The store cannot be read for collections that pin the ${pack} pack: ${error.message.replace(/\.$/, '')}. To remove it anyway, repeat with --although-pinned.`,
    )
  })
  if (pinned === 0) return
  throw new PackFault(
    `Collections that pin models of the ${pack} pack: ${pinned}. Without it their faces are compared by the first embedding alone; the second embeddings stay, sealed, until it is installed again. To remove it anyway, repeat with --although-pinned.`,
  )
}
