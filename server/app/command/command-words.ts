import { resolve } from 'node:path'
import type { Settings } from '#server/app/settings.ts'

/** The settings that determine which store a command opens, and the console's address. */
type StoreSettings = Pick<
  Settings,
  'dataDir' | 'storeAddress' | 'region' | 'publicUrl' | 'configurationUrl' | 'host' | 'secret'
>

const usual = { dataDir: './data', region: 'EU', host: '127.0.0.1', port: '8080' } as const

/**
 * A `npm run account` command, ready to paste, with this server's settings. [Note: Pasted as it is] Under other settings, the
 * command would open another store. Secrets are mentioned by name, never by value.
 * @param origin where the server can be reached, including a port that the system chose
 */
export function commandWords(settings: StoreSettings, origin: string, words: string): readonly string[] {
  const given = Object.entries(variablesOf(settings, origin)).map(
    ([name, value]) => `${name}=${quoted(value)}`,
  )
  const secrets = [
    ...(settings.secret === undefined ? [] : ['SECRET']),
    ...(hasPassword(settings.storeAddress) ? ['STORE, which contains a password,'] : []),
  ]
  const command = [...given, `npm run account -- ${words}`].join(' ')
  return secrets.length === 0 ? [command] : [command, `Set ${secrets.join(' and ')} as for this server.`]
}

function variablesOf(settings: StoreSettings, origin: string): Record<string, string> {
  const { dataDir, storeAddress, region } = settings
  return {
    ...(resolve(dataDir) === resolve(usual.dataDir) ? {} : { DATA_DIR: resolve(dataDir) }),
    ...(storeAddress === undefined || hasPassword(storeAddress) ? {} : { STORE: storeAddress }),
    ...(region === usual.region ? {} : { REGION: region }),
    ...placeOf(settings, origin),
  }
}

function placeOf(
  { publicUrl, configurationUrl, host }: StoreSettings,
  origin: string,
): Record<string, string> {
  if (configurationUrl !== undefined)
    return { [configurationUrl === publicUrl ? 'PUBLIC_URL' : 'CONFIGURATION_URL']: configurationUrl }
  const { port } = new URL(origin)
  return {
    ...(host === usual.host ? {} : { HOST: host }),
    ...(port === usual.port || port === '' ? {} : { PORT: port }),
  }
}

function hasPassword(address: string | undefined): boolean {
  if (address === undefined) return false
  return URL.canParse(address) ? new URL(address).password !== '' : address.includes('@')
}

/** Quotes a string for a shell. */
function quoted(value: string): string {
  return /^[\w./:@%+,=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}
