import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readWords } from '../../build/usage.ts'

const folder = join(import.meta.dirname, '../../server/recognition/search/kernel')
const source = join(folder, 'kernel.as')
const target = join(folder, 'compiled-kernel.ts')

const shared = ['--runtime', 'stub', '--importMemory', '--maximumMemory', '65535', '--noAssert', '-O3']

const usage = `Usage: npm run kernel

Compiles kernel.as into compiled-kernel.ts, both in server/recognition/search/kernel/.`

/** What compiled-kernel.ts holds: the kernel for both instruction sets. */
export async function compileKernel(): Promise<string> {
  const text = await readFile(source, 'utf8')
  const plain = await compile(text, ['--enable', 'simd'])
  const relaxed = await compile(text, ['--enable', 'simd', '--enable', 'relaxed-simd'])
  return [
    '// Written by `npm run kernel` from kernel.as.',
    '',
    '/** WebAssembly in base64, with the instructions that every engine has. */',
    `export const plainKernel =\n  '${plain}'`,
    '',
    '/** The same with relaxed SIMD: products of bytes. */',
    `export const relaxedKernel =\n  '${relaxed}'`,
    '',
  ].join('\n')
}

async function compile(text: string, options: readonly string[]): Promise<string> {
  const { default: asc } = await import('assemblyscript/asc')
  let binary: Uint8Array | undefined
  const { error, stderr } = await asc.main(['kernel.ts', '-o', 'kernel.wasm', ...shared, ...options], {
    readFile: (name) => (name === 'kernel.ts' ? text : null),
    writeFile: (name, contents) => {
      if (name === 'kernel.wasm') binary = contents as Uint8Array
    },
    listFiles: () => [],
  })
  if (error !== null || binary === undefined) throw new Error(`The kernel does not compile.\n${stderr}`)
  return Buffer.from(binary).toString('base64')
}

if (process.argv[1] === import.meta.filename) {
  readWords(usage, {})
  await writeFile(target, await compileKernel())
}
