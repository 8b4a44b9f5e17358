import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSettings, settingNames } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'
import { imageEnvironment, memoryFor, stopsWithinSeconds } from '../support/manifests/image.ts'

/** All of the repository's compose files for operators. */
const files = [
  ...readdirSync('.').filter((name) => /^compose.*\.ya?ml$/.test(name)),
  ...readdirSync('ops')
    .filter((name) => /^compose.*\.ya?ml$/.test(name))
    .map((name) => `ops/${name}`),
]

interface Service {
  readonly image?: string
  readonly build?: string
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly healthcheck?: object
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly profiles?: readonly string[]
  readonly mem_limit?: string
  readonly stop_grace_period?: string
  readonly [name: string]: unknown
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** Valid values for the variables that operators must set. */
const given: Readonly<Record<string, string>> = {
  ...{ PUBLIC_URL: 'https://check.example', EU_URL: 'https://eu.example', US_URL: 'https://us.example' },
  ...{ SECRET: 's'.repeat(32), EU_SECRET: 's'.repeat(32), US_SECRET: 's'.repeat(32) },
  ...{ FIRST_API_KEY: 'k'.repeat(43), METRICS_TOKEN: 'm'.repeat(16) },
  ...{ REDIS_PASSWORD: 'redis1', POSTGRES_PASSWORD: 'postgres1' },
}

/** Replaces `${NAME:-default}` and `${NAME:?words}` the way compose does. `$$` becomes a dollar sign. */
function interpolate(text: string): string {
  return text.replace(
    /\$\$|\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (whole, name?: string, kind?: string, rest = '') => {
      if (name === undefined) return whole.slice(1)
      return given[name] ?? (kind === '-' ? rest : '')
    },
  )
}

function read(file: string): ComposeFile {
  return parse(readFileSync(file, 'utf8'), {
    merge: true,
    reviver: (_key, value) => (typeof value === 'string' ? interpolate(value) : value),
  }) as ComposeFile
}

const isProduct = ({ build }: Service) => build !== undefined
const megabytes = (limit: string) => Number.parseInt(limit, 10) * (limit.endsWith('g') ? 1024 : 1)

/** Requirements for every service. Each function describes what is missing. */
const mustHaves: readonly (readonly [string, (service: Service) => boolean])[] = [
  ['starts again after a crash or a reboot', ({ restart }) => restart === 'unless-stopped'],
  ['cannot become root', ({ user }) => /^(node|redis|postgres|nobody)$/.test(String(user))],
  ['cannot gain rights', ({ security_opt }) => isEqual(security_opt, ['no-new-privileges:true'])],
  ['has no capabilities', ({ cap_drop, cap_add }) => isEqual(cap_drop, ['ALL']) && cap_add === undefined],
  [
    'cannot write to its image',
    ({ read_only, tmpfs }) => read_only === true && String(tmpfs).includes('/tmp'),
  ],
  ['leaves no core with its secrets', ({ ulimits }) => isEqual(ulimits, { core: 0 })],
  ['has a memory limit', ({ mem_limit = '' }) => /^\d+[mg]$/.test(mem_limit)],
  ['has a limit of processor time', ({ cpus }) => Number(cpus) > 0],
  ['has a limit of processes', ({ pids_limit }) => Number(pids_limit) > 0],
  [
    'rotates its logs',
    ({ logging }) => isEqual(logging, { driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } }),
  ],
  [
    'is reachable from this machine only',
    ({ ports = [], network_mode }) =>
      network_mode === undefined && ports.every((port) => port.startsWith('127.0.0.1:')),
  ],
  [
    'is not privileged',
    ({ privileged, pid, ipc }) => [privileged, pid, ipc].every((one) => one === undefined),
  ],
]

function isEqual(value: unknown, expected: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(expected)
}

const missing = (service: Service) => mustHaves.filter(([, has]) => !has(service)).map(([name]) => name)

describe.each(files)('%s', (file) => {
  const { services, volumes } = read(file)
  const entries = Object.entries(services)
  const servers = entries.filter(([, service]) => isProduct(service))

  test.each(entries)('%s has every must-have', (_name, service) => {
    expect(missing(service)).toEqual([])
    const named = (service.volumes ?? []).filter((mount) => !mount.startsWith('.'))
    for (const mount of named) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
    for (const mount of (service.volumes ?? []).filter((one) => one.startsWith('.'))) {
      const [path, , mode] = mount.split(':')
      expect(existsSync(join(dirname(file), path!)), mount).toBe(true)
      expect(mode).toBe('ro')
    }
  })

  test.each(servers)(
    '%s starts with existing settings, and with enough time and memory',
    (_name, service) => {
      expect(settingNames).toEqual(expect.arrayContaining(Object.keys(service.environment!)))
      const settings = readSettings({ ...imageEnvironment, ...service.environment })
      const found = { opensWithFormer: false, adminKeyInWebhooks: false }
      const traits = { keepsEveryWrite: true, evicts: false }
      const isOnServer = settings.storeAddress !== undefined
      const warnings = warningsOf(settings, false, isOnServer ? { ...found, traits } : found)
      // There is no TLS between containers on the same machine, as the comment at the top of the file explains.
      expect(warnings.map(({ code }) => code)).toEqual(isOnServer ? ['store_no_tls'] : [])
      expect(settings.secret).toBe(given.SECRET)
      expect(settings.metricsToken).toBe(given.METRICS_TOKEN)
      const grace = Number.parseInt(service.stop_grace_period!, 10)
      expect(grace).toBeGreaterThan(settings.upkeep.drainInMilliseconds / 1000 + stopsWithinSeconds)
      expect(megabytes(service.mem_limit!)).toBeGreaterThanOrEqual(memoryFor(settings.analysisThreads))
      // Signals reach the server through an init process, because a container's first process cannot be killed
      // from inside it.
      expect(service.init).toBe(true)
      expect(settings.listeners.flatMap(({ roles }) => roles)).toHaveLength(8)
    },
  )

  test('has a password for every store, which the servers know', () => {
    for (const [name, { command = [], environment = {} }] of entries) {
      if (name === 'redis') expect(command.join(' ')).toMatch(/--requirepass "\$\{?REDISCLI_AUTH/)
      if (name === 'postgres') expect(environment.POSTGRES_PASSWORD).toBe(given.POSTGRES_PASSWORD)
    }
    const addresses = servers.flatMap(([, { environment }]) => environment!.STORE ?? [])
    for (const address of addresses) {
      const url = new URL(address)
      expect(Object.keys(services)).toContain(url.hostname)
      expect(url.password).toBe(given[`${url.hostname.toUpperCase()}_PASSWORD`])
    }
    expect(
      entries.every(([, { healthcheck, image }]) => !/redis|postgres/.test(image ?? '') || healthcheck),
    ).toBe(true)
  })

  test('has a Prometheus that scrapes every server, with their token and the alerts', () => {
    const { environment, volumes: mounts, profiles } = services.prometheus!
    expect(profiles).toEqual(['monitoring'])
    const [{ targets }] = JSON.parse(environment!.TARGETS!) as [{ targets: string[] }]
    expect(targets.sort()).toEqual(servers.map(([name]) => `${name}:8080`).sort())
    expect(environment!.METRICS_TOKEN).toBe(given.METRICS_TOKEN)
    const paths = mounts!.map((mount) => mount.split(':'))
    expect(paths.find(([, inside]) => inside === '/etc/prometheus/alerts.yaml')?.[0]).toMatch(/alerts\.yaml$/)
    expect(paths.find(([, inside]) => inside === '/etc/prometheus/prometheus.yaml')?.[0]).toMatch(
      /prometheus\.yaml$/,
    )
  })
})

test('ops/prometheus.yaml has the job that the alerts refer to, its token, and the alerts', () => {
  const config = parse(readFileSync('ops/prometheus.yaml', 'utf8')) as {
    rule_files: string[]
    scrape_configs: object[]
  }
  expect(config.rule_files).toEqual(['/etc/prometheus/alerts.yaml'])
  expect(config.scrape_configs).toEqual([
    {
      job_name: 'selfsame',
      metrics_path: '/metrics',
      authorization: { type: 'Bearer', credentials_file: '/tmp/metrics-token' },
      file_sd_configs: [{ files: ['/tmp/targets.json'] }],
    },
  ])
  expect(readFileSync('ops/alerts.yaml', 'utf8')).toContain('job="selfsame"')
})

describe('the regions of compose.yaml', () => {
  const { services } = read('compose.yaml')
  const settingsOf = (name: string) => readSettings({ ...imageEnvironment, ...services[name]!.environment })

  test.each([
    ['eu', 'EU', 2],
    ['us', 'US', 1],
  ])('%s is %s, on %i ports', (name, region, ports) => {
    expect(settingsOf(name).region).toBe(region)
    expect(settingsOf(name).listeners).toHaveLength(ports)
  })

  test('share nothing, and have no later store unless it is requested', () => {
    expect(services.eu!.volumes).not.toEqual(services.us!.volumes)
    expect([settingsOf('eu').storeAddress, settingsOf('us').storeAddress]).toEqual([undefined, undefined])
    expect(services.redis!.profiles).toEqual(['redis'])
  })
})

describe('several servers', () => {
  const two = read('ops/compose.two-servers.yaml').services
  const three = read('ops/compose.postgres.yaml').services

  test('match the number in the file, all with the same settings, on a store that keeps every write', () => {
    expect(Object.keys(two).sort()).toEqual(['one', 'prometheus', 'redis', 'two'])
    expect(Object.keys(three).sort()).toEqual(['one', 'postgres', 'prometheus', 'three', 'two'])
    for (const name of ['two', 'three']) expect(three[name]!.environment).toEqual(three.one!.environment)
    expect(two.two!.environment).toEqual(two.one!.environment)
    expect(two.redis!.command!.join(' ')).toMatch(/--appendonly yes --appendfsync always .*noeviction/)
    expect(three.postgres!.command!.join(' ')).toContain('fsync=on -c synchronous_commit=on')
  })

  test('share everything that Redis does not store', () => {
    expect(readSettings({ ...imageEnvironment, ...two.one!.environment }).upkeep).toMatchObject({
      drainInMilliseconds: 10_000,
      journalFile: '/journal/journal',
      auditDir: '/journal/audit',
      evidenceDir: '/journal/evidence',
    })
    for (const name of ['one', 'two']) expect(two[name]!.volumes).toContain('journal:/journal')
  })
})

test.each([
  ['restart', 'starts again'],
  ['user', 'root'],
  ['security_opt', 'gain rights'],
  ['cap_drop', 'capabilities'],
  ['read_only', 'write to its image'],
  ['ulimits', 'core'],
  ['mem_limit', 'memory'],
  ['cpus', 'processor'],
  ['pids_limit', 'processes'],
  ['logging', 'rotates its logs'],
])('a service without %s is found', (name, words) => {
  const { [name]: _left, ...service } = read('ops/compose.two-servers.yaml').services.redis!
  expect(missing(service)).toEqual([expect.stringContaining(words)])
})
