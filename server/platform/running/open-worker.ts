import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

/** A thread, and a promise that resolves when it has ended. */
export interface OpenWorker {
  readonly worker: Worker
  readonly failed: Promise<Error>
}

/** Starts a file, compiled or not, in a separate thread that does not keep the process alive. */
export function openWorker(file: string, name: string, workerData: unknown): OpenWorker {
  const worker = file.endsWith('.ts') ? sourceWorker(file, workerData) : new Worker(file, { workerData })
  const failed = new Promise<Error>((settle) => {
    worker.once('error', settle)
    worker.once('exit', (code) => settle(new Error(`The ${name} worker ended with ${code}`)))
  })
  worker.unref()
  return { worker, failed }
}

/** [Note: tsx in threads] Threads of Node 20 neither inherit tsx nor accept it through --import, so it is registered inside. */
function sourceWorker(file: string, workerData: unknown): Worker {
  const source = pathToFileURL(file).href
  const program = `import('tsx/esm/api').then(({ register }) => { register(); return import('${source}') })`
  return new Worker(program, { eval: true, workerData })
}
