import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A program from a page, run the way a reader would run it. */
export interface ExampleProgram {
  /** Its address. */
  readonly origin: string
  /** Waits for a line in its output, whether past or future. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  stop(): Promise<void>
}

/**
 * Runs a program with Node on a free port, which is passed as PORT unless one is given. The program is in this package,
 * so that Node can find `selfsame/client`.
 */
export async function runExample(
  code: string,
  env: Readonly<Record<string, string>>,
): Promise<ExampleProgram> {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync(join('.cache', 'example-'))
  const file = join(folder, 'welcome.mjs')
  writeFileSync(file, code)
  const program = await runCommand([process.execPath, file], env)
  const stop = () => program.stop().then(() => rmSync(folder, { recursive: true }))
  return { ...program, stop }
}

/** Runs a command on a free port, which is passed as PORT unless one is given. */
export async function runCommand(
  [command = '', ...words]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ExampleProgram> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT)
  const child = spawn(command, words, {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    printed: (pattern) => firstOf(lines, pattern, child),
    async stop() {
      if (!isAlive(child)) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

async function firstOf(
  lines: readonly string[],
  pattern: RegExp,
  child: ChildProcess,
): Promise<RegExpExecArray> {
  for (;;) {
    for (const line of lines) {
      const found = pattern.exec(line)
      if (found !== null) return found
    }
    if (!isAlive(child)) throw new Error(`The program ended without ${pattern}: ${lines.join('\n')}`)
    await new Promise((over) => setTimeout(over, 20))
  }
}

function isAlive({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise((closed) => server.close(closed))
  return typeof address === 'object' && address !== null ? address.port : 0
}
