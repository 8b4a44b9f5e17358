import { parseAllDocuments } from 'yaml'
import { imageEnvironment } from './image.ts'

export interface Volume {
  readonly name: string
  readonly emptyDir?: object
  readonly secret?: {
    readonly secretName: string
    readonly defaultMode: number
    readonly items: readonly { readonly key: string; readonly path: string }[]
  }
  readonly persistentVolumeClaim?: { readonly claimName: string }
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[]
  readonly resources: Readonly<Record<'requests' | 'limits', Readonly<Record<'cpu' | 'memory', string>>>>
  readonly securityContext: object
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly startupProbe?: Probe
  readonly readinessProbe?: Probe
  readonly livenessProbe?: Probe
}

export interface Pod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: {
    readonly automountServiceAccountToken: boolean
    readonly enableServiceLinks: boolean
    readonly shareProcessNamespace?: boolean
    readonly terminationGracePeriodSeconds?: number
    readonly securityContext: object
    readonly containers: readonly Container[]
    readonly volumes: readonly Volume[]
  }
}

/** The parts of a manifest that tests read. */
export interface Manifest {
  readonly [field: string]: unknown
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly data?: Readonly<Record<string, string>>
  readonly spec: {
    readonly template: Pod
    readonly jobTemplate: { readonly spec: { readonly template: Pod } }
    readonly selector: Readonly<Record<string, string>> & {
      readonly matchLabels?: Readonly<Record<string, string>>
    }
    readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly scaleTargetRef: { readonly kind: string; readonly name: string }
    readonly ports: readonly { readonly targetPort: string }[]
    readonly accessModes: readonly string[]
  }
}

export function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}

/** The pod that a manifest describes; undefined if it describes none. */
export const podOf = ({ kind, spec }: Manifest): Pod | undefined =>
  kind === 'CronJob' ? spec.jobTemplate.spec.template : kind === 'ConfigMap' ? undefined : spec?.template

/** A container the way it runs in its pod. */
export interface Running {
  /** All variables, from both the image and the manifests. */
  readonly environment: Readonly<Record<string, string>>
  /** The files from the `selfsame` secret: each file's key, by the path where it is mounted. */
  readonly secretFiles: ReadonlyMap<string, string>
}

/** @throws if the container names a settings map that is not in the manifests */
export function runningOf(all: readonly Manifest[], { spec }: Pod, container: Container): Running {
  const maps = container.envFrom.map(({ configMapRef }) => {
    const map = all.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef.name)
    if (map?.data === undefined) throw new Error(`There is no ${configMapRef.name}.`)
    return map.data
  })
  const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
  const files = spec.volumes.flatMap(({ name, secret }) => {
    const at = container.volumeMounts.find((mount) => mount.name === name)?.mountPath
    return (secret?.items ?? []).map(({ key, path }) => [`${at}/${path}`, key] as const)
  })
  return {
    environment: Object.assign({}, imageEnvironment, ...maps, own) as Record<string, string>,
    secretFiles: new Map(files),
  }
}
