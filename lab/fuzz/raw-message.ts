import { endpoints } from '../../tests/support/contract/endpoints.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import type { Random } from './random.ts'
import type { Supplies } from './supplies.ts'

/** A message that barely qualifies as HTTP. */
export function rawMessage(aim: string, random: Random, { key }: Supplies): FuzzRequest {
  const { method, path } = endpoints.get(aim)!
  const line = `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${key}\r\nContent-Type: application/json\r\n`
  const message = random.pick([
    '\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
    `${line}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    `${line}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `${line}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    `${line}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    `${line}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}\r\n`,
    `${line}Content-Length: 5\r\n\r\n{}`,
    `${line}X: a\r\n folded\r\nContent-Length: 2\r\n\r\n{}`,
    `${line}X\u0000: a\r\n\r\n`,
    `${line}: a\r\n\r\n`,
    `${line}Content-Length: 2\r\n\r\n{}${line}Content-Length: 2\r\n\r\n{}`,
    `${method} ${path}?a=\u0001 HTTP/1.1\r\nHost: a\r\n\r\n`,
    `${method} ${path}?a=é HTTP/1.1\r\nHost: a\r\n\r\n`,
    `CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: a\r\n\r\n`,
    `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
    '\u0016\u0003\u0001\u0002\u0000',
    `GET ${'/a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    `GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(3000)}\r\n`,
  ])
  const body = Buffer.from(message)
  return { aim, method, target: path, headers: [], body, manner: 'raw', done: ['raw'], isExact: false }
}
