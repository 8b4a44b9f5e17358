import { parentPort, workerData } from 'node:worker_threads'
import { createSearchThread } from './search-thread.ts'
import type { Order, SearchThreadData } from './wire.ts'

const port = parentPort
if (port === null) throw new Error('this file runs as a worker')

const data = workerData as SearchThreadData
const carryOut = createSearchThread(data, (answer, handedOver = []) => port.postMessage(answer, handedOver))
port.on('message', (order: Order) => carryOut(order))
