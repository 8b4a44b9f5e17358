import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { writeClientPackage } from './client-package.ts'
import { withoutDescriptions } from './without-descriptions.ts'

const folder = 'dist/client'
const run = promisify(execFile)

/**
 * Builds the modules `selfsame/client`, `selfsame/embed`, `selfsame/element` and `selfsame/react`, each without imports
 * (except React's), with their types, and the package that contains them.
 */
export async function buildClient(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await Promise.all([
    bundle('shared/client/client.ts', folder, 'client.js', readable),
    buildEmbedForPages(folder),
    bundle('web/embed/react.ts', folder, 'react.js', { external: ['react'], ...readable }),
    declare('shared', `${folder}/types`),
    declareEmbed(),
  ])
  await writeClientPackage(folder)
}

/** Builds the embedding scripts that the server delivers: `/embed.js`, and `/element.js` for pages without a script. */
export async function buildEmbedForPages(pages: string): Promise<void> {
  for (const name of embedScripts) await bundle(`web/embed/${name}.ts`, pages, `${name}.js`)
}

/**
 * [Note: Readable in a terminal] Node prints the line that threw, which would be a whole minified file. Pages that use the client
 * minify it with their other code.
 */
const readable = { minify: false } as const

const embedScripts = ['embed', 'element'] as const

interface BundleOptions {
  readonly format?: 'es' | 'iife'
  readonly define?: Readonly<Record<string, string>>
  /** Packages that the importing program provides. */
  readonly external?: readonly string[]
  readonly minify?: boolean
}

/** Bundles an entry into one file without imports. */
export async function bundle(
  entry: string,
  outDir: string,
  name: string,
  { format = 'es', define = {}, external = [], minify = true }: BundleOptions = {},
): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    plugins: [withoutDescriptions()],
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { external: [...external], output: { minify } },
      reportCompressedSize: false,
      lib: { entry, formats: [format], fileName: () => name, name: 'selfsame' },
    },
  })
}

const once = ['--composite', 'false', '--incremental', 'false', '--declaration', '--emitDeclarationOnly']

/** Emits type declarations, one file per source. Programs that compile with them also need valibot's types. */
async function declare(project: string, outDir: string): Promise<void> {
  await compile(['-p', project, '--rootDir', project, '--outDir', outDir, ...once])
}

async function declareEmbed(): Promise<void> {
  const target = [
    ...['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom'],
    ...['--allowImportingTsExtensions', '--ignoreConfig'],
  ]
  await compile([
    ...[...embedScripts, 'react'].map((name) => `web/embed/${name}.ts`),
    '--outDir',
    `${folder}/types`,
    '--declaration',
    '--emitDeclarationOnly',
    ...target,
  ])
}

async function compile(words: readonly string[]): Promise<void> {
  await run(process.execPath, ['node_modules/typescript/bin/tsc', ...words])
}
