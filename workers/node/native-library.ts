import { isMainThread } from 'node:worker_threads'

const refusal = 'ORT_DISABLE_TELEMETRY'

/**
 * [Note: The runtime tells nobody] On Linux onnxruntime-node tells its publisher of what it runs, and keeps a device id and a
 * queue of events under the home folder, unless this is `1` when its first session is made. It reads the environment of the
 * process, of which threads other than the main one have but a copy: the main thread calls this before it starts any. What
 * the operator had set counts for nothing.
 */
export function refuseTelemetry(): void {
  process.env[refusal] = '1'
}

/**
 * The one way to onnxruntime-node.
 * @throws where it is not there, or might tell somebody: in a thread whose process has not refused
 */
export async function loadNativeLibrary(): Promise<typeof import('onnxruntime-node')> {
  if (isMainThread) refuseTelemetry()
  if (process.env[refusal] !== '1')
    throw new Error('the main thread must refuse telemetry before it starts this one')
  return import('onnxruntime-node')
}
