import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** A test's clean-up functions, to be called in reverse order. */
export type Undo = (() => unknown)[]

/** Packages that break if there are two copies: npm installs React next to the starter, and another one is next to the linked `selfsame`. */
const copiedPackages = ['react', 'react-dom', 'scheduler']

/** Copies a starter the way a user would, with only the packages listed in its package.json. */
export async function copyStarter(name: string, undo: Undo): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `selfsame-${name}-`))
  undo.push(() => rm(folder, { recursive: true }))
  await cp(join('examples', name), folder, { recursive: true })
  const { dependencies = {}, devDependencies = {} } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>
  const packages = Object.keys({ ...dependencies, ...devDependencies })
  await mkdir(join(folder, 'node_modules'))
  for (const needed of [...packages, ...(packages.includes('react-dom') ? ['scheduler'] : [])]) {
    const installed = join(folder, 'node_modules', needed)
    const ours = needed === 'selfsame' ? resolve('.') : resolve('node_modules', needed)
    if (copiedPackages.includes(needed)) await cp(ours, installed, { recursive: true })
    else await symlink(ours, installed)
  }
  return folder
}

/** Starts one of a starter's programs, and returns the address that it prints. */
export async function startStarter(
  folder: string,
  program: string,
  settings: Readonly<Record<string, string>>,
  undo: Undo,
): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: folder,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  undo.push(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  for await (const line of createInterface({ input: child.stdout! })) {
    const address = /^Open (\S+)$/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error(`${program} printed no address`)
}
