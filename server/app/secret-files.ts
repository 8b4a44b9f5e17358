import { readFileSync, statSync } from 'node:fs'
import { tryOrUndefined } from '#server/platform/running/try-or-undefined.ts'
import { withoutEmpty } from './setting-values.ts'

/** Settings that are a secret, or an address that may contain a password. */
export const secretSettings = [
  'SECRET',
  'SECRET_PREVIOUS',
  'STORE',
  'INDEX_SERVERS',
  'FIRST_API_KEY',
  'METRICS_TOKEN',
  'OPENID_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

type Variables = Readonly<Record<string, string | undefined>>

interface ReadSecrets {
  /** The environment, with each file's content under the name of its setting. */
  readonly given: Variables
  /** The `NAME_FILE` of each file that every user on the machine can read. */
  readonly openFiles: readonly string[]
}

/**
 * [Note: A secret may be in a file] `NAME_FILE` names a file with the value of `NAME`, because orchestrators mount
 * secrets as files, and an environment is shown by `inspect` and inherited by child processes. A group may read the file,
 * since Kubernetes assigns one to a volume.
 * @throws an Error that names each invalid setting, never a value
 */
export function readSecretFiles(environment: Variables): ReadSecrets {
  const env = withoutEmpty(environment)
  const files = secretSettings.filter((name) => env[`${name}_FILE`] !== undefined)
  const contents = files.map((name) => ({ name, ...contentOf(env, name) }))
  const faults = contents.flatMap(({ name, fault }) =>
    fault === undefined ? [] : [`  ${name}_FILE: ${fault}`],
  )
  if (faults.length > 0) throw new Error(['The settings are wrong.', ...faults].join('\n'))
  return {
    given: { ...env, ...Object.fromEntries(contents.map(({ name, value }) => [name, value])) },
    openFiles: contents.filter(({ isOpen }) => isOpen).map(({ name }) => `${name}_FILE`),
  }
}

interface Content {
  readonly value?: string
  readonly isOpen?: boolean
  readonly fault?: string
}

function contentOf(env: Variables, name: string): Content {
  if (env[name] !== undefined) return { fault: `${name} is set too: unset one of the two.` }
  const path = env[`${name}_FILE`]!
  try {
    const isOpen = (statSync(path).mode & 0o007) !== 0
    const bytes = readFileSync(path)
    const text = tryOrUndefined(() =>
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    )
    if (text === undefined) return { fault: 'The file is not UTF-8.' }
    const value = text.replace(/\r?\n$/, '')
    return value === '' ? { fault: 'The file is empty.' } : { value, isOpen }
  } catch (error) {
    return { fault: (error as Error).message }
  }
}
