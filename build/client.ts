import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { writeClientPackage } from './client-package.ts'
import { withoutDescriptions } from './without-descriptions.ts'

const folder = 'dist/client'
const run = promisify(execFile)

/**
 * Builds what other programs import as `selfsame/client`, `selfsame/embed`, `selfsame/element` and `selfsame/react`: each one module without
 * imports (but React's own), and its types; and the package of them.
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

/** The embedding scripts as the server hands them out: `/embed.js`, and `/element.js` for a page without a script of its own. */
export async function buildEmbedForPages(pages: string): Promise<void> {
  for (const name of embedScripts) await bundle(`web/embed/${name}.ts`, pages, `${name}.js`)
}

/**
 * [Note: Readable in a terminal] Node prints the line that threw, which is the whole of a minified file. Who builds a page with it
 * minifies it with the rest.
 */
const readable = { minify: false } as const

const embedScripts = ['embed', 'element'] as const

/** How a bundle differs from a module without imports. */
interface BundleOptions {
  readonly format?: 'es' | 'iife'
  readonly define?: Readonly<Record<string, string>>
  /** Packages that whoever imports the bundle has. */
  readonly external?: readonly string[]
  readonly minify?: boolean
}

/** Builds one file without imports from an entry. */
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

/** The types stand in files as the sources do; whoever compiles with them needs valibot's types too. */
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
