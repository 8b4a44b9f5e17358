import type { MessagePort, Worker } from 'node:worker_threads'
import type { Endpoint } from 'comlink'

type PortTransfer = Parameters<MessagePort['postMessage']>[1]

/** Adapts a port or worker of node:worker_threads to the browser's event interface that Comlink uses. */
export function nodeEndpoint(port: MessagePort | Worker): Endpoint {
  const listeners = new WeakMap<object, (data: unknown) => void>()
  return {
    postMessage: (message, transfer) => port.postMessage(message, (transfer ?? []) as PortTransfer),
    addEventListener: (_type, listener) => {
      const deliver = (data: unknown) => {
        const event = { data } as MessageEvent
        if ('handleEvent' in listener) listener.handleEvent(event)
        else listener(event)
      }
      port.on('message', deliver)
      listeners.set(listener, deliver)
    },
    removeEventListener: (_type, listener) => {
      const deliver = listeners.get(listener)
      if (deliver !== undefined) port.off('message', deliver)
    },
    start: () => undefined,
  }
}
