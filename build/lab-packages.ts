import { existsSync, readFileSync } from 'node:fs'

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>
}

/** One sentence if the packages of the workspace lab/ are not installed, and the remedy; undefined otherwise. */
export function sentenceForPackages(repository = new URL('../', import.meta.url)): string | undefined {
  const { devDependencies } = JSON.parse(
    readFileSync(new URL('lab/package.json', new URL('../', import.meta.url)), 'utf8'),
  ) as Manifest
  const isInstalled = (name: string) =>
    ['node_modules', 'lab/node_modules'].some((folder) =>
      existsSync(new URL(`${folder}/${name}`, repository)),
    )
  const missing = Object.keys(devDependencies).filter((name) => !isInstalled(name))
  if (missing.length === 0) return undefined
  return `This needs the packages of lab/ (missing: ${missing.join(', ')}): run "npm ci --ignore-scripts", without --workspaces=false.`
}
