import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** A webhook receiver on loopback that answers with the given statuses in turn; `hang` never answers. */
export async function startReceiver(answers: readonly (number | 'hang')[] = []) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const answer = answers[received.length] ?? 200
      received.push({ headers: request.headers, body })
      if (answer !== 'hang')
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
