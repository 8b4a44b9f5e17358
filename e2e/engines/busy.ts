import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'

/** Lets another process take every core of this machine for as long as something is done; answers what came of it. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['-e', burn, String(availableParallelism())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It says so once each core has its thread.
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
