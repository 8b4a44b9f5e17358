import { resolve } from 'node:path'
import { ownFilesOf } from '#server/platform/running/own-files.ts'
import { isBuiltFrom } from '../../../build/built.ts'
import { hashOfSources } from '../../../build/source-hash.ts'

const programs = {
  main: ['dist/server/main.js', 'server/app/main.ts'],
  account: ['dist/server/account.js', 'server/app/command/account-command.ts'],
  collection: ['dist/server/collection.js', 'server/app/command/collection-command.ts'],
  packs: ['dist/server/packs.js', 'server/app/command/packs-command.ts'],
  audit: ['dist/server/audit.js', 'server/app/command/audit-command.ts'],
  backup: ['dist/server/backup.js', 'server/app/command/backup-command.ts'],
  store: ['dist/server/store.js', 'server/app/migrating/store-command.ts'],
} as const

/** True if dist/ was built from precisely these sources. */
export const isBuilt = await isBuiltFrom(await hashOfSources())

/** Node arguments that start one of the server's programs. Uses the build if it is up to date, because that starts twice as fast. */
export function serverProgram(name: keyof typeof programs): readonly string[] {
  const [built, source] = programs[name]
  return isBuilt ? [built] : ['--import', 'tsx', source]
}

/** The server's thread files. Uses the build if it is up to date, because that takes an eighth of the processor time to start. */
export const { analysisWorker, searchWorker, base64Worker } = ownFilesOf(
  resolve(serverProgram('main').at(-1)!),
)
