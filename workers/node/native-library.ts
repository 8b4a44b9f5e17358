import { isMainThread } from 'node:worker_threads'

const refusal = 'ORT_DISABLE_TELEMETRY'

/**
 * [Note: The runtime tells nobody] On Linux onnxruntime-node reports usage to its publisher, and stores a device id and
 * an event queue in the home folder, unless this variable is `1` when its first session is created. It reads the
 * environment of the process, of which other threads have only a copy. So the main thread must call this before it starts
 * any. Overrides the operator's value.
 */
export function refuseTelemetry(): void {
  process.env[refusal] = '1'
}

/**
 * The only access to onnxruntime-node.
 * @throws if it is not installed, or if the process has not disabled its telemetry
 */
export async function loadNativeLibrary(): Promise<typeof import('onnxruntime-node')> {
  if (isMainThread) refuseTelemetry()
  if (process.env[refusal] !== '1')
    throw new Error('the main thread must disable telemetry before it starts this one')
  return import('onnxruntime-node')
}
