import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readWords } from '../../build/usage.ts'

const root = join(import.meta.dirname, '../..')

/** The kernels' folders: for pictures, codes, search, and networks in a page. */
export const kernelFolders = [
  'models/picture/kernel',
  'server/features/recognition/index/postgres/codes/kernel',
  'server/features/recognition/index/threads/kernel',
  'workers/web/provider/kernel',
] as const

/** Compiled without relaxed instructions, either because engines must agree to the last bit or because the kernel does not multiply. */
const plainOnly: readonly string[] = [
  'models/picture/kernel',
  'server/features/recognition/index/postgres/codes/kernel',
]

const shared = ['--runtime', 'stub', '--importMemory', '--maximumMemory', '65535', '--noAssert', '-O3']

const usage = `Usage: npm run kernel

Compiles each kernel.as into the compiled-kernel.ts next to it: ${kernelFolders.join(', ')}.`

/** The source of compiled-kernel.ts, with the kernel for both instruction sets or only for the one that every engine supports. */
export async function compileKernel(folder: (typeof kernelFolders)[number]): Promise<string> {
  const text = await readFile(join(root, folder, 'kernel.as'), 'utf8')
  const plain = await compile(text, ['--enable', 'simd'])
  const written = [
    '// Written by `npm run kernel` from kernel.as.',
    '',
    '/** WebAssembly in base64, with the instructions that every engine has. */',
    `export const plainKernel =\n  '${plain}'`,
    '',
  ]
  if (plainOnly.includes(folder)) return written.join('\n')
  const relaxed = await compile(text, ['--enable', 'simd', '--enable', 'relaxed-simd'])
  return [
    ...written,
    '/** The same with relaxed SIMD. */',
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
  for (const folder of kernelFolders)
    await writeFile(join(root, folder, 'compiled-kernel.ts'), await compileKernel(folder))
}
