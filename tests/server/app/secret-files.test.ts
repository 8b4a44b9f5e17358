import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { secretSettings } from '#server/app/secret-files.ts'
import { readSettings, settingNames } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'

const folder = mkdtempSync(join(tmpdir(), 'selfsame-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A valid value for each secret setting that is easy to find in a message. */
const valid: Readonly<Record<(typeof secretSettings)[number], string>> = {
  SECRET: 'marked-secret-of-more-than-32-characters',
  SECRET_PREVIOUS: 'marked-secret-of-more-than-32-characters',
  STORE: 'redis://user:marked-password@127.0.0.1:6379',
  INDEX_SERVERS: 'postgres://user:marked-password@127.0.0.1/faces',
  FIRST_API_KEY: `marked-${'k'.repeat(40)}`,
  METRICS_TOKEN: 'marked-token-of-a-collector',
  OPENID_CLIENT_SECRET: 'marked-client-secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=marked-value',
}
/** Settings that some of them depend on. */
const needed = {
  OPENID_ISSUER: 'https://login.example',
  OPENID_CLIENT_ID: 'console',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
}

let files = 0
function fileOf(content: string | Uint8Array, mode = 0o600): string {
  const path = join(folder, `file-${++files}`)
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

/** The message that rejects these settings. */
function refusalOf(env: Record<string, string>): string {
  try {
    readSettings(env)
    return 'not refused'
  } catch (error) {
    return (error as Error).message
  }
}

describe.each(secretSettings)('%s', (name) => {
  const inFile = (content: string | Uint8Array) => ({ ...needed, [`${name}_FILE`]: fileOf(content) })

  test('is read from the file that NAME_FILE names, like from the environment', () => {
    const direct = readSettings({ ...needed, [name]: valid[name] })
    expect(direct).not.toEqual(readSettings(needed))
    expect(readSettings(inFile(valid[name]))).toEqual(direct)
    expect(readSettings(inFile(`${valid[name]}\n`))).toEqual(direct)
    expect(readSettings(inFile(`${valid[name]}\r\n`))).toEqual(direct)
  })

  test('is refused if it is in both places, in a file that is empty, missing or not text, or if it is wrong; no message repeats a value', () => {
    const broken: [Record<string, string>, string][] = [
      [{ ...inFile(valid[name]), [name]: valid[name] }, `${name}_FILE: ${name} is set too`],
      [inFile(''), `${name}_FILE: The file is empty`],
      [inFile('\n'), `${name}_FILE: The file is empty`],
      [{ ...needed, [`${name}_FILE`]: join(folder, 'missing') }, `${name}_FILE: ENOENT`],
      [{ ...needed, [`${name}_FILE`]: folder }, `${name}_FILE: EISDIR`],
      [inFile(Buffer.from([0x6d, 0xff, 0xfe])), `${name}_FILE: The file is not UTF-8`],
    ]
    for (const [env, words] of broken) {
      expect(refusalOf(env)).toContain(words)
      expect(refusalOf(env)).not.toContain('marked-')
    }
  })
})

test.each([
  ['SECRET', 'marked-short'],
  ['STORE', 'mysql://marked-password@host'],
  ['INDEX_SERVERS', 'redis://marked-password@host'],
  ['FIRST_API_KEY', 'marked-short'],
  ['METRICS_TOKEN', 'marked token'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'marked-without-a-value'],
  // Only one line break is dropped. A second one is part of the value.
  ['METRICS_TOKEN', 'marked-token-of-a-collector\n\n'],
])('a wrong %s in a file is refused by its name, without its value', (name, value) => {
  const words = refusalOf({ ...needed, [`${name}_FILE`]: fileOf(value) })
  expect(words).toContain(`  ${name}: `)
  expect(words).not.toContain('marked')
})

test('every setting whose name says secret can be in a file', () => {
  /** Names that sound secret, but are a choice or a folder with public certificates. */
  const publicOnes = ['WEBHOOK_API_KEY', 'PASSKEY_ROOTS', 'PASSKEY_REVOKED']
  const sounding = settingNames.filter((name) => /SECRET|TOKEN|KEY|PASSWORD|HEADERS/.test(name))
  expect(secretSettings).toEqual(
    expect.arrayContaining(sounding.filter((name) => !publicOnes.includes(name))),
  )
  expect(settingNames).toEqual(expect.arrayContaining([...secretSettings]))
})

test('a file that every user of the machine can read is reported; one that its group can read is not', () => {
  const codes = (mode: number) =>
    warningsOf(readSettings({ SECRET_FILE: fileOf(valid.SECRET, mode) }), false).map(({ code }) => code)
  expect(codes(0o604)).toEqual(['secret_file_open'])
  expect(codes(0o640)).toEqual([])
})
