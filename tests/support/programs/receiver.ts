import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A status, or else no answer, or an answer that stops after its head. */
export type ReceiverAnswer = number | 'hang' | 'hanging body'

/** A webhook receiver on loopback. It gives scripted answers, followed by 200s. */
export async function startReceiver(answers: readonly ReceiverAnswer[] = []) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const answer = answers[received.length] ?? 200
      received.push({ headers: request.headers, body })
      if (answer === 'hang') return
      if (answer === 'hanging body') {
        response.writeHead(200, { 'Content-Length': '10' }).write('x')
        return
      }
      response.writeHead(answer, answer >= 300 && answer < 400 ? { Location: '/x' } : {}).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return {
    address,
    received,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
