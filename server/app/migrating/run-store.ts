import type { CommandIo } from '#server/app/command/run.ts'
import { openFaceServers } from '#server/app/face-servers.ts'
import type { Settings } from '#server/app/settings.ts'
import { openStore } from '#server/platform/store/open-store.ts'
import { serverNameOf } from '#server/platform/store/store-traits.ts'

const help = `npm run store -- migrate, with the settings of the server, and STORE with the role that owns the tables.

  migrate   Creates the tables of a PostgreSQL store, or upgrades them to this program; forward only. Servers may be running.

Exit codes: 0 done, 1 refused or failed, 2 a usage error.`

const usage = { done: 0, refused: 1, misuse: 2 } as const

/** Runs `npm run store` and returns the exit code. */
export async function runStore(
  words: readonly string[],
  settings: () => MigrationSettings,
  io: Pick<CommandIo, 'write' | 'error'>,
): Promise<number> {
  const [command, ...more] = words
  if (command === undefined || command === 'help' || words.includes('--help') || words.includes('-h')) {
    io.write(help)
    return command === undefined ? usage.misuse : usage.done
  }
  if (command !== 'migrate' || more.length > 0) {
    const fault =
      command === 'migrate' ? 'There are too many arguments.' : `There is no command "${command}".`
    io.error(`${fault}\nUsage: npm run store -- help`)
    return usage.misuse
  }
  try {
    await migrate(settings())
    io.write('The tables are up to date.')
    return usage.done
  } catch (error) {
    io.error(error instanceof Error ? error.message : String(error))
    return usage.refused
  }
}

type MigrationSettings = Pick<Settings, 'dataDir' | 'storeAddress' | 'region' | 'upkeep'>

/** Opening the store migrates its tables. Those of the face index follow, including the ones on its further servers. */
async function migrate(settings: MigrationSettings): Promise<void> {
  const isOnPostgres =
    settings.storeAddress !== undefined && serverNameOf(settings.storeAddress) === 'PostgreSQL'
  if (!isOnPostgres && settings.upkeep.indexServers.length === 0)
    throw new Error('STORE does not name a PostgreSQL server. Other stores have no tables.')
  if (isOnPostgres) await (await openStore(settings, () => undefined)).store.close()
  const { faceServers, close } = openFaceServers(settings, () => undefined)
  try {
    for (const partition of faceServers?.partitions ?? []) await partition.prepare()
  } finally {
    await close()
  }
}
