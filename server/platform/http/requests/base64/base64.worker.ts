import { parentPort } from 'node:worker_threads'
import { decodeBase64 } from './base64.ts'
import type { Base64Answer, Base64Order } from './base64-thread.ts'

const port = parentPort
if (port === null) throw new Error('this file runs as a worker')

port.on('message', ({ number, text, mostBytes }: Base64Order) => {
  const decoded = decodeBase64(text, mostBytes)
  const handedOver = 'fault' in decoded ? [] : [decoded.buffer as ArrayBuffer]
  port.postMessage({ number, decoded } satisfies Base64Answer, handedOver)
})
