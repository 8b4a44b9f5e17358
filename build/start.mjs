import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isFresh } from './fresh.mjs'
import { sentenceForNode } from './node-version.mjs'

/**
 * Starts a program of the server, and builds it first if its sources have changed; with `--help` it builds nothing. This is
 * plain JavaScript so that the program runs in this process, receives its signals and leaves no loader behind.
 */
const sources = {
  main: 'server/app/main.ts',
  account: 'server/app/command/account-command.ts',
  audit: 'server/app/command/audit-command.ts',
  collection: 'server/app/command/collection-command.ts',
  packs: 'server/app/command/packs-command.ts',
  backup: 'server/app/command/backup-command.ts',
  store: 'server/app/migrating/store-command.ts',
}
const lacking = sentenceForNode() ?? sentenceForPackages()
if (lacking !== undefined) {
  console.error(lacking)
  process.exit(1)
}
const [name, ...words] = process.argv.slice(2)
const asksForHelp = words[0] === 'help' || words.includes('--help') || words.includes('-h')
// The server accepts only `--https`; for any other argument it prints an error, which needs no build.
if (asksForHelp || (name === 'main' && words.some((word) => word !== '--https')))
  process.exit(run(sources[name], ...words))
const code = isFresh('dist/.sources') ? 0 : run('build.ts', '--if-stale')
if (code !== 0) process.exit(code)
process.argv.splice(1, 2, `dist/server/${name}.js`)
await import(`../dist/server/${name}.js`)

function run(...command) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', ...command], { stdio: 'inherit' })
  return status ?? 1
}

/** Without packages the build below would end with a module that was not found. */
function sentenceForPackages() {
  if (existsSync('node_modules/tsx')) return undefined
  return 'The packages are not installed: run "npm ci --ignore-scripts --workspaces=false" first.'
}
