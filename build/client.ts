import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const folder = 'dist/client'
const run = promisify(execFile)

/**
 * Builds what other programs import as `selfsame/client` and `selfsame/embed`: each one module without imports, and its
 * types.
 */
export async function buildClient(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await Promise.all([
    bundle('shared/client/client.ts', folder, 'client.js'),
    bundle(embedSource, folder, 'embed.js'),
    declare('shared', `${folder}/types`),
    declareEmbed(),
  ])
}

/** The embedding script as the server hands it out: `/embed.js`. */
export async function buildEmbedForPages(pages: string): Promise<void> {
  await bundle(embedSource, pages, 'embed.js')
}

const embedSource = 'web/embed/embed.ts'

/** How a bundle differs from a module without imports. */
interface BundleOptions {
  readonly format?: 'es' | 'iife'
  readonly define?: Readonly<Record<string, string>>
}

/** Builds one file without imports from an entry. */
export async function bundle(
  entry: string,
  outDir: string,
  name: string,
  { format = 'es', define = {} }: BundleOptions = {},
): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { output: { minify: true } },
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
  const target = ['--target', 'es2022', '--module', 'esnext', '--lib', 'es2023,dom', '--ignoreConfig']
  await compile([
    embedSource,
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
