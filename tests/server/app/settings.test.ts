import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packs } from '#models/rules/packs.ts'
import { readSettings, readTrialSettings, settingNames } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'
import type { StoreTraits } from '#server/platform/store/store-traits.ts'
import { hosts } from '#shared/hosts.ts'

describe('the settings', () => {
  test('have defaults for everything, suitable for one machine', () => {
    expect(readSettings({})).toEqual({
      listeners: [{ port: 8080, roles: Object.keys(hosts) }],
      host: '127.0.0.1',
      pack: packs.standard,
      dataDir: './data',
      packsDir: 'data/packs',
      storeAddress: undefined,
      webDir: undefined,
      offlinePages: true,
      region: 'EU',
      publicUrl: undefined,
      configurationUrl: undefined,
      securityUrl: undefined,
      isHttps: false,
      trustedProxies: 0,
      listensOnLoopback: true,
      webhookAllowLoopback: true,
      imageUrlAllow: [],
      challengeActions: ['turnLeft', 'turnRight', 'lookUp', 'smile'],
      attemptLimit: undefined,
      collectionLimit: 100_000,
      facesInMemory: 500_000,
      searchThreads: 1,
      rateLimits: { analyses: undefined, requests: undefined, inits: undefined, failedLogins: undefined },
      embedOrigins: [],
      corsOrigins: [],
      secret: undefined,
      analysisThreads: 1,
      demo: true,
      logLevel: 'warn',
      metricsToken: undefined,
      openSecretFiles: [],
      upkeep: {
        firstApiKey: undefined,
        hasWebhookKey: true,
        isOpenidProvider: false,
        printConsoleCode: false,
        drainInMilliseconds: 0,
        warmCollections: [],
        journalFile: undefined,
        auditDir: 'data/audit',
        auditDays: 730,
        evidenceDir: 'data/evidence',
        auditHeads: [{ kind: 'file', path: 'data/heads.jsonl', isOwn: true }],
        faceIndex: 'memory',
        indexCodesInMemory: 2_000_000,
        indexServers: [],
      },
      mostBytesUnderWay: 128 * 1024 * 1024,
    })
  })

  test('keep audit logs in a folder, or on a PostgreSQL server', () => {
    const placeOf = (AUDIT_DIR: string) => readSettings({ AUDIT_DIR, DATA_DIR: 'data' }).upkeep
    expect(placeOf('/elsewhere')).toMatchObject({ auditDir: '/elsewhere', auditAddress: undefined })
    const address = 'postgres://selfsame@127.0.0.1/audit'
    expect(placeOf(address)).toMatchObject({ auditDir: 'data/audit', auditAddress: address })
  })

  test('are stricter if others can reach the server', () => {
    expect(readSettings({ HOST: '0.0.0.0' })).toMatchObject({
      webhookAllowLoopback: false,
      attemptLimit: 5,
      rateLimits: { analyses: 600, requests: 3000, inits: 30, failedLogins: 20 },
      demo: false,
      upkeep: { drainInMilliseconds: 5000 },
    })
  })

  test('are parsed as intended', () => {
    const env = {
      PORT: '0',
      ROLES: 'liveness, verify,liveness',
      CHALLENGE_ACTIONS: 'turnLeft, smile,turnLeft',
      ATTEMPT_LIMITS: '3',
      COLLECTION_LIMIT: '2',
      FACES_IN_MEMORY: '3',
      SEARCH_THREADS: '5',
      EMBED_ORIGINS: 'https://a.example http://localhost:3000',
      CORS_ORIGINS: 'https://shop.example',
      RATE_LIMIT_ANALYSES: '7',
      PUBLIC_URL: 'https://id.example/',
      SECURITY_URL: 'https://tokens.example/',
      DATA_DIR: '',
      FIRST_API_KEY: 'x'.repeat(43),
      WEBHOOK_API_KEY: 'first',
      DRAIN_SECONDS: '300',
      PRINT_CONSOLE_CODE: 'on',
      OPENID_ISSUER: 'https://login.example',
      OPENID_CLIENT_ID: 'console',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi, x-team = a=b ',
      WARM_COLLECTIONS: 'staff, visitors,staff',
      AUDIT_HEADS: 'file:/var/heads syslog://log.example syslog://[::1]:1514 https://a.example/heads',
    }
    expect(readSettings(env)).toMatchObject({
      listeners: [{ port: 0, roles: ['liveness', 'verify'] }],
      challengeActions: ['turnLeft', 'smile'],
      attemptLimit: 3,
      collectionLimit: 2,
      facesInMemory: 3,
      searchThreads: 5,
      embedOrigins: ['https://a.example', 'http://localhost:3000'],
      corsOrigins: ['https://shop.example'],
      rateLimits: { analyses: 7, requests: undefined },
      publicUrl: 'https://id.example',
      configurationUrl: 'https://id.example',
      securityUrl: 'https://tokens.example',
      isHttps: true,
      dataDir: './data',
      packsDir: 'data/packs',
      upkeep: {
        firstApiKey: 'x'.repeat(43),
        hasWebhookKey: false,
        drainInMilliseconds: 300_000,
        printConsoleCode: true,
        warmCollections: ['staff', 'visitors'],
        auditHeads: [
          { kind: 'file', path: '/var/heads' },
          { kind: 'syslog', host: 'log.example', port: 514 },
          { kind: 'syslog', host: '::1', port: 1514 },
          { kind: 'webhook', address: 'https://a.example/heads' },
        ],
        openid: { issuer: 'https://login.example', clientId: 'console', name: 'login.example' },
        traces: {
          address: 'http://collector:4318/v1/traces',
          headers: { authorization: 'Basic YTpi', 'x-team': 'a=b' },
          serviceName: 'selfsame',
        },
      },
    })
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', 'x'],
    ['ROLES', 'configuration,kitchen'],
    ['LISTEN', '8080'],
    ['LISTEN', '8080:kitchen'],
    ['LISTEN', '70000:liveness'],
    ['LISTEN', '8080:liveness;8080:verify'],
    ['LISTEN', '8080:liveness;8081:verify,liveness'],
    ['CORS_ORIGINS', 'shop.example'],
    ['RATE_LIMIT_INITS', '0'],
    ['TRUST_PROXY', 'true'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'with a space in between'],
    ['REGION', 'UK'],
    ['CHALLENGE_ACTIONS', 'jump'],
    ['CHALLENGE_ACTIONS', ','],
    ['EMBED_ORIGINS', '*'],
    ['PUBLIC_URL', 'https://id.example/path'],
    ['SECRET', 'short'],
    ['ANALYSIS_THREADS', '0'],
    ['DEMO', 'maybe'],
    ['OFFLINE_PAGES', 'maybe'],
    ['FIRST_API_KEY', 'x'.repeat(42)],
    ['WEBHOOK_API_KEY', 'second'],
    ['FIRST_API_KEY', 'x'.repeat(129)],
    ['FIRST_API_KEY', `${'x'.repeat(42)}+`],
    ['DRAIN_SECONDS', '301'],
    ['OPENID_ISSUER', 'http://login.example'],
    ['OPENID_ISSUER', 'https://login.example'],
    ['OPENID_CLIENT_ID', 'console'],
    ['OPENID_NAME', 'x'.repeat(41)],
    ['PRINT_CONSOLE_CODE', 'yes'],
    ['OPENID_PROVIDER', 'yes'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:word@collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318/?key=word'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'name=value'],
    ['OTEL_SERVICE_NAME', 'x'.repeat(101)],
    ['AUDIT_HEADS', 'file:heads'],
    ['AUDIT_HEADS', 'http://collector.example/'],
    ['AUDIT_HEADS', 'syslog:'],
    ['FACE_INDEX', 'redis'],
    ['INDEX_SERVERS', 'redis://127.0.0.1'],
    ['INDEX_SERVERS', 'postgres://a/b 127.0.0.1'],
    ['INDEX_SERVERS', Array.from({ length: 65 }, (_, i) => `postgres://a/b${i}`).join(' ')],
  ])('refuse %s=%s, and name it', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(name)
  })
})

describe('LISTEN', () => {
  test('names several ports, each with its roles', () => {
    expect(readSettings({ LISTEN: '8080:configuration, security; 0:liveness;0:verify' }).listeners).toEqual([
      { port: 8080, roles: ['configuration', 'security'] },
      { port: 0, roles: ['liveness'] },
      { port: 0, roles: ['verify'] },
    ])
  })

  test.each([{ PORT: '8080' }, { ROLES: 'liveness' }])('takes the place of %o', (other) => {
    expect(() => readSettings({ LISTEN: '8080:liveness', ...other })).toThrow('LISTEN')
  })
})

/** The rows of a table in docs/operate.md, as cells without code marks. */
function rowsOf(heading: string): string[][] {
  const section = readFileSync('docs/operate.md', 'utf8').split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| |\|$/g, '').trim()))
}

describe('docs/operate.md', () => {
  const rows = rowsOf('Settings')

  test('list every setting once, with its default and its meaning', () => {
    const named = rows.map(([name]) => name!.replaceAll('`', ''))
    expect([...named].sort()).toEqual([...settingNames].sort())
    for (const row of rows) expect(row.every((cell) => cell !== '')).toBe(true)
  })
})

describe('the warnings', () => {
  const codes = (env: Record<string, string>, pipe = false) =>
    warningsOf(readSettings(env), pipe).map(({ code }) => code)

  test('are empty for the defaults on one machine', () => {
    expect(codes({}, true)).toEqual([])
  })

  test('are few for a careful deployment, and many for a careless one', () => {
    const careful = {
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://id.example',
      SECRET: 'x'.repeat(32),
      TRUST_PROXY: '1',
    }
    expect(codes(careful)).toEqual([])
    const careless = {
      HOST: '0.0.0.0',
      PUBLIC_URL: 'http://id.example',
      DEMO: 'true',
      ATTEMPT_LIMITS: 'off',
      CORS_ORIGINS: '*',
      WEBHOOK_ALLOW_LOOPBACK: 'true',
      CHALLENGE_ACTIONS: 'blink',
    }
    expect(codes(careless, true)).toEqual([
      'weak_challenge',
      'no_turn',
      'no_tls',
      'cors_any',
      'private_targets',
      'demo_public',
      'no_limits',
      'secret_beside_store',
      'key_in_log',
    ])
  })

  test('consider a public address, even if the server itself listens on loopback', () => {
    const behindProxy = {
      PUBLIC_URL: 'https://id.example',
      TRUST_PROXY: '1',
      DEMO: 'false',
      WEBHOOK_ALLOW_LOOPBACK: 'false',
    }
    expect(codes(behindProxy)).toEqual(['no_limits', 'secret_beside_store'])
  })

  test('do not mention http if the process itself serves TLS', () => {
    const found = { opensWithFormer: false, adminKeyInWebhooks: false }
    const codesOf = (servesTls: boolean) =>
      warningsOf(readTrialSettings({}), false, { ...found, servesTls }).map(({ code }) => code)
    expect(codesOf(false)).toContain('no_tls')
    expect(codesOf(true)).toEqual(codesOf(false).filter((code) => code !== 'no_tls'))
  })

  test('mention a former secret that still opens the store, and in public an admin key in webhooks', () => {
    const found = { opensWithFormer: true, adminKeyInWebhooks: true }
    const codesOf = (env: Record<string, string>) =>
      warningsOf(readSettings(env), false, found).map(({ code }) => code)
    const careful = {
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://id.example',
      SECRET: 'x'.repeat(32),
      TRUST_PROXY: '1',
    }
    expect(codesOf({})).toEqual(['former_secret'])
    expect(codesOf(careful)).toEqual(['former_secret', 'webhook_admin_key'])
  })

  test.each([
    ['proxy_unread', { PUBLIC_URL: 'https://id.example' }, { TRUST_PROXY: '1' }],
    [
      'proxy_unlikely',
      { HOST: '0.0.0.0', TRUST_PROXY: '1' },
      { PUBLIC_URL: 'https://id.example', TRUST_PROXY: '1' },
    ],
  ])('report with %s that proxies and addresses do not match', (code, wrong, right) => {
    expect(codes(wrong)).toContain(code)
    expect(codes({ ...wrong, ...right })).not.toContain(code)
  })

  test.each([
    [undefined, []],
    ['closed', ['console_closed']],
    ['moved', ['passkeys_elsewhere']],
  ] as const)('report where passkeys of the console do not work: %s', (consoleTrouble, expected) => {
    const found = { opensWithFormer: false, adminKeyInWebhooks: false, consoleTrouble }
    expect(warningsOf(readSettings({}), false, found).map(({ code }) => code)).toEqual(expected)
  })

  test.each([
    ['20.20.2', ['node_unsupported']],
    ['22.12.0', []],
    ['23.0.0', ['node_unsupported']],
    ['24.9.0', []],
    ['26.0.0', []],
  ])('report whether Node %s gets fixes', (node, expected) => {
    const found = { opensWithFormer: false, adminKeyInWebhooks: false, node }
    expect(warningsOf(readSettings({}), false, found).map(({ code }) => code)).toEqual(expected)
  })

  test('recommend an update for a Node without security fixes', () => {
    const found = { opensWithFormer: false, adminKeyInWebhooks: false, node: '20.19.0' }
    expect(warningsOf(readSettings({}), false, found).map(({ meaning }) => meaning)).toEqual([
      'Node 20.19.0 no longer gets security fixes. The server still runs on it: install Node 22 or 24 as soon as you can.',
    ])
  })

  test('mention that others can read the data folder', () => {
    const found = { opensWithFormer: false, adminKeyInWebhooks: false, dataDirIsOpen: true }
    expect(warningsOf(readSettings({}), false, found).map(({ code }) => code)).toEqual(['data_dir_open'])
  })

  test('and of audit entries that are older than AUDIT_DAYS', () => {
    const found = { opensWithFormer: false, adminKeyInWebhooks: false, oldAuditLogs: 2 }
    const [old] = warningsOf(readSettings({ AUDIT_DAYS: '30' }), false, found)
    expect(old).toMatchObject({ code: 'audit_old', meaning: expect.stringMatching(/30 days.*2 accounts/) })
    expect(warningsOf(readSettings({}), false, { ...found, oldAuditLogs: 0 })).toEqual([])
    expect(() => readSettings({ AUDIT_DAYS: '0' })).toThrow('AUDIT_DAYS')
  })

  test.each([
    ['files', undefined, false, false, []],
    ['rows', undefined, false, false, ['audit_heads_local']],
    ['rows', 'log', false, false, []],
    ['rows', 'log', false, true, ['audit_rows_open']],
    ['rows', 'file:/elsewhere/heads', true, false, ['audit_in_files']],
  ] as const)(
    'of an audit log in %s, with heads to %s, files left: %s, rows that servers may change: %s',
    (kind, AUDIT_HEADS, hasFilesLeft, isOpen, expected) => {
      const auditPlace = { kind, hasFilesLeft, isOpen }
      const found = { opensWithFormer: false, adminKeyInWebhooks: false, auditPlace }
      expect(warningsOf(readSettings({ AUDIT_HEADS }), false, found).map(({ code }) => code)).toEqual(
        expected,
      )
    },
  )

  test.each([
    [1, []],
    [-1.1, ['clock_drift']],
    [1.1, ['clock_drift']],
    [undefined, []],
  ])('report a clock that is %s s ahead of that of Redis', (drift, expected) => {
    const clock = { driftInSeconds: () => drift }
    const found = { opensWithFormer: false, adminKeyInWebhooks: false, clock }
    expect(warningsOf(readSettings({}), false, found).map(({ code }) => code)).toEqual(expected)
  })

  test('explain how a Redis server may lose or reveal data', () => {
    const codesOf = (STORE: string, traits?: StoreTraits) =>
      warningsOf(readSettings({ STORE }), false, {
        opensWithFormer: false,
        adminKeyInWebhooks: false,
        traits,
      }).map(({ code }) => code)
    const safe = { keepsEveryWrite: true, evicts: false }
    expect(codesOf('redis://127.0.0.1:6379', safe)).toEqual([])
    expect(codesOf('rediss://user:word@store.example/0', safe)).toEqual([])
    expect(codesOf('redis://store.example', safe)).toEqual(['store_no_tls'])
    expect(codesOf('redis://localhost', { keepsEveryWrite: false, evicts: true })).toEqual([
      'store_may_lose',
      'store_evicts',
    ])
    expect(codesOf('redis://localhost', { keepsEveryWrite: undefined, evicts: undefined })).toEqual([
      'store_may_lose',
    ])
  })

  test('name the missing address of the security role', () => {
    expect(codes({ ROLES: 'liveness' })).toEqual(['issuer_unknown'])
    expect(codes({ ROLES: 'liveness', SECURITY_URL: 'https://id.example' })).toEqual([])
  })
})

describe('a start with --https', () => {
  test('is open to the whole network, with the demo, if nothing else is set', () => {
    expect(readTrialSettings({})).toMatchObject({ host: '0.0.0.0', demo: true, attemptLimit: 5 })
    expect(readTrialSettings({ HOST: '127.0.0.1', DEMO: 'false', PUBLIC_URL: '' })).toMatchObject({
      host: '127.0.0.1',
      demo: false,
    })
  })

  test.each(['PUBLIC_URL', 'CONFIGURATION_URL', 'SECURITY_URL'])('refuses %s', (name) => {
    expect(() => readTrialSettings({ [name]: 'https://check.example' })).toThrow(`${name} is set`)
  })
})
