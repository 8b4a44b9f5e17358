import { resolve } from 'node:path'
import type { Settings } from '#server/app/settings.ts'

/** What of the settings decides which store a command opens, and where it says that the console is. */
type Deciding = Pick<
  Settings,
  'dataDir' | 'storeAddress' | 'region' | 'publicUrl' | 'configurationUrl' | 'host' | 'secret'
>

const usual = { dataDir: './data', region: 'EU', host: '127.0.0.1', port: '8080' } as const

/**
 * A command of `npm run account` as it is to be typed, with the settings that this server was started with. [Note: Pasted as it is] Under other
 * settings it would open another store. A secret is named and never shown.
 * @param origin where the server is reached, which also says the port where the system chose it
 */
export function commandWords(settings: Deciding, origin: string, words: string): readonly string[] {
  const given = Object.entries(variablesOf(settings, origin)).map(
    ([name, value]) => `${name}=${quoted(value)}`,
  )
  const secrets = [
    ...(settings.secret === undefined ? [] : ['SECRET']),
    ...(hasPassword(settings.storeAddress) ? ['STORE, which holds a password,'] : []),
  ]
  const command = [...given, `npm run account -- ${words}`].join(' ')
  return secrets.length === 0
    ? [command]
    : [command, `There ${secrets.join(' and ')} must be set as for this server.`]
}

function variablesOf(settings: Deciding, origin: string): Record<string, string> {
  const { dataDir, storeAddress, region } = settings
  return {
    ...(resolve(dataDir) === resolve(usual.dataDir) ? {} : { DATA_DIR: resolve(dataDir) }),
    ...(storeAddress === undefined || hasPassword(storeAddress) ? {} : { STORE: storeAddress }),
    ...(region === usual.region ? {} : { REGION: region }),
    ...placeOf(settings, origin),
  }
}

function placeOf({ publicUrl, configurationUrl, host }: Deciding, origin: string): Record<string, string> {
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

/** As a shell reads it back. */
function quoted(value: string): string {
  return /^[\w./:@%+,=-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`
}
