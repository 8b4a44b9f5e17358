import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { secretSettings } from '#server/app/secret-files.ts'
import { readSettings, settingNames } from '#server/app/settings.ts'
import { warningsOf } from '#server/app/warnings/warnings.ts'
import { healthEndpoints } from '#shared/contract/health.ts'
import { builtPrograms, image, memoryFor, stopsWithinSeconds } from '../support/manifests/image.ts'
import {
  type Container,
  type Manifest,
  manifestsIn,
  type Pod,
  podOf,
  runningOf,
} from '../support/manifests/manifests.ts'
import { unknownFields } from './manifest-fields.ts'

const folder = 'ops/kubernetes'
const overlays = readdirSync(`${folder}/overlays`)
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
const needsKubectl = hasKubectl ? '' : ' (needs kubectl, which is absent)'

/** The mistake that kubernetes-models finds in a manifest; undefined if the manifest is valid. */
async function faultOf(manifest: Manifest): Promise<string | undefined> {
  const { apiVersion, kind } = manifest
  const path = `kubernetes-models/${apiVersion}/${kind}`
  type Model = new (data: object) => { validate(): void }
  const models = (await import(/* @vite-ignore */ path)) as Record<string, Model>
  try {
    new models[kind]!(manifest).validate()
  } catch (error) {
    return (error as Error).message
  }
  const unknown = unknownFields(manifest)
  return unknown.length === 0 ? undefined : `unknown: ${unknown.join(', ')}`
}

const megabytes = (quantity: string) =>
  Number.parseFloat(quantity) * (quantity.endsWith('Gi') ? 1024 : quantity.endsWith('Mi') ? 1 : Number.NaN)

const isPartOf = (labels: Readonly<Record<string, string>>, of: Readonly<Record<string, string>>) =>
  Object.entries(labels).every(([name, value]) => of[name] === value)

/** Valid contents for the secret's files, so that the settings are read the way they are in a cluster. */
const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  redis: { store: 'rediss://user:password@redis.example:6379' },
  postgres: {
    store: 'postgres://selfsame_runtime:password@db.example/selfsame?sslmode=verify-full',
    'store-owner': 'postgres://selfsame_owner:password@db.example/selfsame?sslmode=verify-full',
  },
}
const others = {
  secret: 's'.repeat(40),
  'first-api-key': 'k'.repeat(43),
  'metrics-token': 'm'.repeat(20),
  'backup-passphrase': 'p'.repeat(20),
}

const mounted = mkdtempSync(join(tmpdir(), 'selfsame-kubernetes-'))
afterAll(() => rmSync(mounted, { recursive: true, force: true }))

/** The same environment, with the secret's files in a local folder. */
function environmentHere(overlay: string, all: readonly Manifest[], pod: Pod, container: Container) {
  const { environment, secretFiles } = runningOf(all, pod, container)
  const moved = ([name, value]: [string, string]) => {
    const key = secretFiles.get(value)
    if (key === undefined) return [name, value]
    const file = join(mounted, `${overlay}-${key}`)
    writeFileSync(file, { ...others, ...secrets[overlay] }[key]!, { mode: 0o640 })
    return [name, file]
  }
  return Object.fromEntries(Object.entries(environment).map(moved)) as Record<string, string>
}

describe.each(overlays)('the manifests for %s', (overlay) => {
  const rendered = readFileSync(`${folder}/rendered/${overlay}.yaml`, 'utf8')
  const all = manifestsIn(rendered)
  const pods = all.flatMap((manifest) => podOf(manifest) ?? [])
  const containers = pods.flatMap((pod) => pod.spec.containers.map((container) => ({ pod, container })))
  const server = containers.find(({ container }) => container.name === 'server')!
  const named = (kind: string) => all.filter((manifest) => manifest.kind === kind)

  test.skipIf(!hasKubectl)(`are rendered from what is here${needsKubectl}`, () => {
    const { stdout, stderr } = spawnSync('kubectl', ['kustomize', `${folder}/overlays/${overlay}`], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    // To update it: kubectl kustomize ops/kubernetes/overlays/NAME > ops/kubernetes/rendered/NAME.yaml
    expect(manifestsIn(stdout)).toEqual(all)
  })

  test('contain everything that a deployment needs, and are valid', async () => {
    expect([...new Set(all.map(({ kind }) => kind))]).toEqual(
      expect.arrayContaining([
        ...['Deployment', 'Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler', 'NetworkPolicy'],
        ...['CronJob', 'PersistentVolumeClaim', 'ConfigMap', 'Namespace'],
      ]),
    )
    expect(named('Job').length).toBe(overlay === 'postgres' ? 1 : 0)
    for (const manifest of all) expect(await faultOf(manifest), manifest.kind).toBeUndefined()
    for (const { kind, metadata } of all)
      if (kind !== 'Namespace') expect(metadata.namespace, kind).toBe('selfsame')
  })

  test('run no pod as root, write to no image, mount no token of the cluster, and limit resources', () => {
    for (const { pod, container } of containers) {
      expect(pod.spec.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: image.user,
        runAsGroup: image.group,
        fsGroup: image.group,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect([pod.spec.automountServiceAccountToken, pod.spec.enableServiceLinks]).toEqual([false, false])
      const { requests, limits } = container.resources
      expect(megabytes(limits.memory)).toBeGreaterThanOrEqual(megabytes(requests.memory))
      expect(limits.cpu).toMatch(/^\d+$/)
    }
  })

  test('set every setting; the server starts with them and without warnings', () => {
    for (const { pod, container } of containers) {
      const { environment, secretFiles } = runningOf(all, pod, container)
      const files = secretSettings.map((name) => `${name}_FILE`)
      for (const name of Object.keys(environment)) expect([...settingNames, ...files]).toContain(name)
      for (const name of files)
        if (name in environment) expect([...secretFiles.keys()]).toContain(environment[name])
      const settings = readSettings(environmentHere(overlay, all, pod, container))
      expect(settings).toMatchObject({ trustedProxies: 1, listensOnLoopback: false, demo: false })
      expect(settings.storeAddress).toMatch(new RegExp(`^${overlay}`))
      if (container !== server.container) continue
      const found = { opensWithFormer: false, adminKeyInWebhooks: false }
      const traits = { keepsEveryWrite: true, evicts: false }
      expect(warningsOf(settings, false, { ...found, traits })).toEqual([])
      const { drainInMilliseconds, firstApiKey } = settings.upkeep
      expect([firstApiKey, settings.metricsToken]).not.toContain(undefined)
      const { terminationGracePeriodSeconds } = pod.spec
      expect(terminationGracePeriodSeconds).toBeGreaterThan(drainInMilliseconds / 1000 + stopsWithinSeconds)
      const { memory } = container.resources.limits
      expect(megabytes(memory)).toBeGreaterThanOrEqual(memoryFor(settings.analysisThreads))
    }
  })

  test('mount what they name, and contain no secret', () => {
    const claims = named('PersistentVolumeClaim').map(({ metadata }) => metadata.name)
    for (const { pod, container } of containers) {
      const names = pod.spec.volumes.map(({ name }) => name).sort()
      expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(names)
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(
        expect.arrayContaining(['/data', '/tmp']),
      )
      for (const { secret, emptyDir, persistentVolumeClaim } of pod.spec.volumes) {
        expect([secret, emptyDir, persistentVolumeClaim].filter((one) => one !== undefined)).toHaveLength(1)
        if (secret) expect(secret).toMatchObject({ secretName: 'selfsame', defaultMode: 0o440 })
        if (persistentVolumeClaim) expect(claims).toContain(persistentVolumeClaim.claimName)
      }
    }
    expect(named('Secret')).toEqual([])
  })

  test('call the server at its port in the image, on paths that it answers', () => {
    const { container } = server
    expect(container.ports).toEqual([{ name: 'http', containerPort: image.port }])
    const { startupProbe, readinessProbe, livenessProbe } = container
    const paths = Object.values(healthEndpoints).map(({ path }) => path)
    for (const probe of [startupProbe, readinessProbe, livenessProbe]) {
      expect(paths).toContain(probe!.httpGet.path)
      expect(probe!.httpGet.port).toBe('http')
    }
    expect(readinessProbe!.httpGet.path).not.toBe(livenessProbe!.httpGet.path)
    const [service] = named('Service')
    expect(service!.spec.ports.map(({ targetPort }) => targetPort)).toEqual(['http'])
  })

  test('run programs that the build produces', () => {
    const programs = containers.flatMap(({ container }) =>
      [...(container.command ?? []).join(' ').matchAll(/dist\/\S+/g)].map(([program]) => program),
    )
    expect(programs.length).toBeGreaterThan(1)
    for (const program of programs) expect(builtPrograms).toContain(program)
  })

  test('select the pods of the server and no other; every pod has a policy', () => {
    const labels = pods.map(({ metadata }) => metadata.labels)
    const selected = (by: Readonly<Record<string, string>>) => labels.filter((of) => isPartOf(by, of))
    const ofServer = [server.pod.metadata.labels]
    expect(selected(named('Service')[0]!.spec.selector)).toEqual(ofServer)
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(selected(named(kind)[0]!.spec.selector.matchLabels!)).toEqual(ofServer)
    for (const { spec } of named('NetworkPolicy'))
      expect(selected(spec.podSelector.matchLabels)).toEqual(labels)
    const [scaler] = named('HorizontalPodAutoscaler')
    expect(scaler!.spec.scaleTargetRef).toMatchObject({
      kind: 'Deployment',
      name: named('Deployment')[0]!.metadata.name,
    })
  })

  test('end the container with the process that must end, which cannot be the first of its namespace', () => {
    expect(server.pod.spec.shareProcessNamespace).toBe(true)
  })
})

test('with PostgreSQL, no pod shares a disk with another', () => {
  const all = manifestsIn(readFileSync(`${folder}/rendered/postgres.yaml`, 'utf8'))
  const claims = all.filter(({ kind }) => kind === 'PersistentVolumeClaim')
  expect(claims.flatMap(({ spec }) => spec.accessModes)).toEqual(['ReadWriteOnce'])
  const [deployment] = all.filter(({ kind }) => kind === 'Deployment')
  const { volumes } = deployment!.spec.template.spec
  expect(volumes.filter(({ persistentVolumeClaim }) => persistentVolumeClaim)).toEqual([])
})

describe('commented blocks in the manifests', () => {
  /** The file after uncommenting its block. */
  const uncommented = (file: string) =>
    readFileSync(`${folder}/base/${file}`, 'utf8').replace(/^( +)# (- | {2,})/gm, '$1$2')

  test.each([
    ['availability.yaml', 'selfsame_analysis_queue_length'],
    ['network-policy.yaml', '4318'],
  ])('is valid too: %s, %s', async (file, words) => {
    const manifests = manifestsIn(uncommented(file))
    expect(JSON.stringify(manifests)).toContain(words)
    for (const manifest of manifests) expect(await faultOf(manifest)).toBeUndefined()
  })

  test('scales by a metric that the server has', () => {
    const operate = readFileSync('docs/operate.md', 'utf8')
    expect(operate).toContain('`selfsame_analysis_queue_length`')
  })
})

test('the example of an ingress is valid, and leads to the service', async () => {
  const [ingress] = manifestsIn(readFileSync(`${folder}/ingress.example.yaml`, 'utf8'))
  expect(await faultOf(ingress!)).toBeUndefined()
  expect(JSON.stringify(ingress)).toContain('"service":{"name":"selfsame","port":{"name":"http"}}')
})

test.each([
  ['prots', { template: { spec: { containers: [{ name: 'server', prots: [] }] } } }, {}],
  ['replicas', { replicas: 'three', selector: {}, template: {} }, {}],
  ['readOnlyRootFilesystem', {}, { readOnlyRootFilesystem: true }],
] as const)('a manifest with a mistake is found: %s', async (words, inSpec, outside) => {
  const [deployment] = manifestsIn(readFileSync(`${folder}/rendered/redis.yaml`, 'utf8')).filter(
    ({ kind }) => kind === 'Deployment',
  )
  const mistaken = { ...deployment!, ...outside, spec: { ...deployment!.spec, ...inSpec } }
  expect(await faultOf(mistaken as unknown as Manifest)).toContain(words)
})
