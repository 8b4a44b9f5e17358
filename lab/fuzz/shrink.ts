import type { FuzzRequest } from './fuzz-request.ts'

const mostTries = 200

/** Removes parts of a request for as long as the fault persists. */
export async function shrink(
  request: FuzzRequest,
  stillFails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request
  let tries = 0
  for (let found = true; found && tries < mostTries; ) {
    found = false
    for (const smaller of smallerThan(smallest)) {
      if (++tries > mostTries) break
      if (await stillFails(smaller)) {
        smallest = smaller
        found = true
        break
      }
    }
  }
  return smallest
}

function* smallerThan(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, target, body } = request
  for (const header of headers) {
    if (!['authorization', 'content-type'].includes(header[0]))
      yield { ...request, headers: headers.filter((other) => other !== header) }
  }
  const [path, search] = target.split('?', 2)
  const pairs = search?.split('&') ?? []
  for (const pair of pairs) {
    const rest = pairs.filter((other) => other !== pair).join('&')
    yield { ...request, target: rest === '' ? path! : `${path}?${rest}` }
  }
  if (body === undefined || request.manner === 'raw') return
  for (const smaller of smallerBodies(body)) yield { ...request, body: smaller }
}

function* smallerBodies(body: Buffer): Generator<Buffer> {
  try {
    for (const value of smallerValues(JSON.parse(body.toString()))) yield Buffer.from(JSON.stringify(value))
  } catch {
    if (body.length > 1) yield body.subarray(0, body.length >> 1)
    if (body.length > 1) yield body.subarray(body.length >> 1)
  }
}

function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value.length > 1) yield value.slice(0, value.length >> 1)
  if (Array.isArray(value)) {
    for (let i = 0; i < Math.min(value.length, 20); i++) {
      yield value.toSpliced(i, 1)
      for (const smaller of smallerValues(value[i])) yield value.with(i, smaller)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== name))
      for (const smaller of smallerValues(member)) yield { ...value, [name]: smaller }
    }
  }
}
