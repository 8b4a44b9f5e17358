import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** Keeps all cores busy from another process while `work` runs, and returns the result. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['-e', burn, String(availableParallelism())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It prints a line once every core has a busy thread.
  await once(child.stdout, 'data')
  try {
    return await work()
  } finally {
    child.kill('SIGKILL')
  }
}

const burn = `
  const { Worker } = require('node:worker_threads')
  for (let i = 0; i < Number(process.argv[1]); i++) new Worker('for (;;);', { eval: true })
  console.log('busy')
`
