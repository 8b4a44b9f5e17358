import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { image } from '../../../tests/support/manifests/image.ts'
import { type Manifest, manifestsIn, podOf, runningOf } from '../../../tests/support/manifests/manifests.ts'

/** The content of an image as a plain folder: a release, and no other files from this machine. */
export interface Rootfs {
  readonly folder: string
  /** The rendered manifests for PostgreSQL. */
  readonly manifests: readonly Manifest[]
  /** The folder with the files of the `selfsame` secret. */
  readonly secrets: string
  remove(): void
}

/** True if this machine allows processes to be confined like in a container runtime. */
export const canConfine = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true']).status === 0

/** @throws if the release cannot be written */
export function createRootfs(secrets: Readonly<Record<string, string>>): Rootfs {
  const folder = mkdtempSync(join(tmpdir(), 'selfsame-pod-'))
  chmodSync(folder, 0o755)
  const modules = spawnSync(process.execPath, [
    'node_modules/tsx/dist/cli.mjs',
    'build/release/release.ts',
    '--unpacked',
    join(folder, 'app'),
  ])
  if (modules.status !== 0) throw new Error(String(modules.stderr))
  const mounted = join(folder, 'secrets')
  mkdirSync(mounted)
  for (const [name, value] of Object.entries(secrets)) {
    writeFileSync(join(mounted, name), `${value}\n`)
    // The mode that Kubernetes sets for the pod's group. In the sandbox, all files belong to the sandbox's user.
    chmodSync(join(mounted, name), 0o440)
  }
  return {
    folder,
    manifests: manifestsIn(readFileSync('ops/kubernetes/rendered/postgres.yaml', 'utf8')),
    secrets: mounted,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Additions to a container's manifest. */
interface PodAdditions {
  /** Settings that are specific to this machine, such as a free port on loopback. */
  readonly environment: Readonly<Record<string, string>>
  /** Local folders for volumes that outlive a pod, keyed by mount path. */
  readonly volumes?: Readonly<Record<string, string>>
}

/** A container from the manifests, run as a process on this machine. */
export interface ContainerProcess {
  readonly child: ChildProcess
  /** The lines of stdout and stderr. */
  readonly lines: readonly string[]
  /** Sends a signal to the program itself and returns its exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>
  ended(): Promise<number | null>
}

/**
 * Starts the container with this name, using the environment, command, mounts and user from its manifest. Everything else is read-only, and it
 * cannot see any other processes.
 */
export function startContainer(rootfs: Rootfs, name: string, also: PodAdditions): ContainerProcess {
  const pods = rootfs.manifests.flatMap((manifest) => podOf(manifest) ?? [])
  const pod = pods.find(({ spec }) => spec.containers.some((one) => one.name === name))!
  const container = pod.spec.containers.find((one) => one.name === name)!
  const { environment } = runningOf(rootfs.manifests, pod, container)
  const volumes = also.volumes ?? {}
  const mounts = container.volumeMounts.flatMap(({ name: volume, mountPath }) => {
    const { secret } = pod.spec.volumes.find((one) => one.name === volume)!
    if (secret !== undefined)
      return secret.items.flatMap(({ key, path }) => [
        '--ro-bind',
        join(rootfs.secrets, key),
        `${mountPath}/${path}`,
      ])
    const here = volumes[mountPath]
    return here === undefined ? ['--tmpfs', mountPath] : ['--bind', here, mountPath]
  })
  const variables = { PATH: '/opt/node:/usr/bin:/bin', ...environment, ...also.environment }
  const words = [
    ...confinement(rootfs.folder),
    ...mounts,
    ...Object.entries(variables).flatMap(([variable, value]) => ['--setenv', variable, value]),
    ...['--remount-ro', '/', '--chdir', '/app', '--'],
    ...(container.command ?? ['node', 'dist/server/main.js']),
  ]
  const child = spawn('bwrap', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  for (const output of [child.stdout!, child.stderr!])
    createInterface({ input: output }).on('line', (line) => lines.push(line))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    child,
    lines,
    ended: () => ended,
    stop(signal) {
      if (child.exitCode === null) process.kill(innermost(child.pid!), signal)
      return ended
    },
  }
}

/** Only the user, system and files of the image. */
function confinement(folder: string): readonly string[] {
  const isolated = '--unshare-user --unshare-pid --unshare-ipc --cap-drop ALL --die-with-parent --clearenv'
  const system = ['/usr', '/etc', '/sys'].flatMap((path) => ['--ro-bind', path, path])
  const links = ['bin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`])
  return [
    ...isolated.split(' '),
    ...['--uid', String(image.user), '--gid', String(image.group)],
    ...[...system, ...links, '--dev', '/dev', '--proc', '/proc'],
    ...['--ro-bind', process.execPath, '/opt/node/node'],
    ...['--ro-bind', join(folder, 'app'), '/app'],
  ]
}

/** The program at the end of a chain of processes with one child each. */
function innermost(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? pid : innermost(Number(children.split(' ')[0]))
}
