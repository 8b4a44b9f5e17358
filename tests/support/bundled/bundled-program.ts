import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { build, type Rolldown } from 'vite'

const folder = '.cache/programs'
const migrations = 'server/platform/store/drivers/postgres/migrations'

/**
 * Arguments that make Node start a program in tests/ several times. The program is bundled once, the way the server is
 * built, instead of being transformed file by file on each start.
 */
export async function bundledProgram(source: string): Promise<readonly string[]> {
  const output = await bundle(source)
  keepMigrationsBeside()
  const file = join(folder, basename(source).replace(/\.ts$/, '.js'))
  // A concurrent start finds either the previous bundle or this one, but never a partial one.
  const own = `${file}.${process.pid}`
  await writeFile(own, output)
  await rename(own, file)
  return [file]
}

async function bundle(source: string): Promise<string> {
  const built = (await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: source,
      target: 'node22',
      write: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput
  return built.output[0].code
}

/** The server reads its schema from the neighbouring folder. */
function keepMigrationsBeside(): void {
  mkdirSync(folder, { recursive: true })
  const beside = join(folder, 'migrations')
  if (existsSync(beside)) return
  try {
    symlinkSync(relative(folder, migrations), beside)
  } catch (error) {
    // Another test has created it in the meantime.
    if (!existsSync(beside)) throw error
  }
}
