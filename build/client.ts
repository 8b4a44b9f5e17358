import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'

const folder = 'dist/client'
const run = promisify(execFile)

/** Builds what other programs import as `selfsame/client`: one module without imports, and its types. */
export async function buildClient(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await Promise.all([bundle(), declare()])
}

async function bundle(): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      rolldownOptions: { output: { minify: true } },
      reportCompressedSize: false,
      lib: { entry: 'shared/client.ts', formats: ['es'], fileName: () => 'client.js' },
    },
  })
}

/** The types stand in files as the sources do; whoever compiles with them needs valibot's types too. */
async function declare(): Promise<void> {
  const once = ['--composite', 'false', '--incremental', 'false', '--declaration', '--emitDeclarationOnly']
  await run(process.execPath, [
    'node_modules/typescript/bin/tsc',
    ...['-p', 'shared', '--rootDir', 'shared', '--outDir', `${folder}/types`, ...once],
  ])
}
