import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { readWords } from './usage.ts'

const usage = `Usage: npm run sbom -- [FILE]

Writes a CycloneDX bill of materials to FILE or to standard output. It lists the runtime packages
of package-lock.json with their hashes, and the shipped networks with the sha256 of their weights.`

/** A package or a network in a CycloneDX bill. */
export interface BillComponent {
  readonly 'bom-ref': string
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses?: readonly unknown[]
  readonly [field: string]: unknown
}

interface Bill {
  readonly dependencies: readonly { readonly ref: string }[]
  readonly metadata: { readonly component: object; readonly [field: string]: unknown }
  readonly components: readonly BillComponent[]
  readonly [field: string]: unknown
}

/**
 * The bill of the working folder. npm does not know the networks, so they come from their manifest. Its `--omit dev`
 * also drops runtime packages that are peers of a build tool, so the lock file decides which packages run.
 */
export function sbom(): Bill {
  const printed = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--workspaces=false'],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const made = JSON.parse(printed) as Bill
  const running = packagesThatRun()
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  const component = {
    ...made.metadata.component,
    name: 'selfsame',
    type: 'application',
    properties: [{ name: 'selfsame:package-lock.json:sha256', value: lock }],
  }
  return {
    ...made,
    metadata: { ...made.metadata, component },
    components: [...made.components.filter((one) => running.has(one['bom-ref'])), ...networks()],
    dependencies: made.dependencies.filter(({ ref }) => running.has(ref)),
  }
}

/** `name@version` of each runtime package. */
function packagesThatRun(): ReadonlySet<string> {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean; devOptional?: boolean }>
  }
  const running = Object.entries(packages).filter(([, { dev, devOptional }]) => !dev && !devOptional)
  return new Set(running.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`))
}

function networks(): BillComponent[] {
  const { models } = JSON.parse(readFileSync('models/weights/manifest.json', 'utf8')) as {
    models: Record<string, { file: string; sha256: string }>
  }
  return Object.entries(models).map(([name, { file, sha256 }]) => ({
    type: 'machine-learning-model',
    'bom-ref': `network:${name}`,
    name,
    version: sha256.slice(0, 12),
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    properties: [{ name: 'selfsame:file', value: `models/weights/${file}` }],
  }))
}

if (process.argv[1] === import.meta.filename) {
  const { positionals } = readWords(usage, {}, 1)
  const text = `${JSON.stringify(sbom(), undefined, 2)}\n`
  const [file] = positionals
  if (file === undefined) process.stdout.write(text)
  else writeFileSync(file, text)
}
