import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname } from 'node:path'
import { createClient } from 'selfsame/client'

const { SELFSAME_URL, SELFSAME_API_KEY, PORT = '3000' } = process.env
const selfsame = createClient({ origin: SELFSAME_URL, apiKey: SELFSAME_API_KEY })
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    response.writeHead(500).end()
  })
})
server.listen(Number(PORT), () => console.log(`Open ${origin()}`))
const origin = () => `http://localhost:${server.address().port}`

async function answer({ method, url }, response) {
  if (method === 'POST' && url === '/api/check') return sendJson(response, await newCheck())
  const id = /^\/api\/check\/(\w+)$/.exec(url)?.[1]
  if (id !== undefined) return sendJson(response, await resultOf(id))
  const path = /^\/assets\/[\w.-]+$/.test(url) ? url : '/index.html'
  const file = await readFile(new URL(`dist${path}`, import.meta.url))
  response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(file)
}

async function newCheck() {
  const { verificationSessionId, captureUrl } = await selfsame.configuration.createSession({
    verifierConfigs: { liveness: { type: 'Verification' } },
    passedUrl: `${origin()}/`,
    failedUrl: `${origin()}/`,
  })
  return { id: verificationSessionId, link: captureUrl }
}

/** Requested with this server's key: nothing that the browser says is trusted. */
async function resultOf(verificationSessionId) {
  const { verificationResult } = await selfsame.configuration.getSessionResult({ verificationSessionId })
  return { passed: verificationResult === 'Pass' }
}

function sendJson(response, body) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
