import type { Context } from 'koa'
import { Problem } from '#shared/problem.ts'
import { refuseMalformedBody } from './encoding.ts'
import { jsonLimits, measureJson } from './json-size.ts'
import { multipartType } from './media-types.ts'

/** [Note: Ours] Enough for a film of 240 pictures and 24 frames, each with its time as a separate part, and all other members. */
const mostParts = 600
const mostHeaderBytes = 2048
const mostEntries = 1000
const lineEnd = Buffer.from('\r\n')
const headerEnd = Buffer.from('\r\n\r\n')

/** A member (`step`), or a member of a list entry (`frames[0].bytes`). */
const pathForm = /^([A-Za-z]+)(?:\[(\d{1,3})\]\.([A-Za-z]+))?$/

interface Part {
  readonly name: string
  readonly isBinary: boolean
  readonly content: Buffer
}

/** A multipart body's boundary, or undefined for any other body. @throws {Problem} 400 if it is missing */
export function boundaryOf(ctx: Context): string | undefined {
  if (!ctx.is(multipartType)) return undefined
  const found = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(ctx.get('Content-Type'))
  const boundary = found?.[1] ?? found?.[2]
  if (boundary === undefined) throw fault('The media type must name the boundary of the parts.')
  return boundary
}

/**
 * Reads a `multipart/form-data` body (RFC 7578) as the object that JSON would have been. A part's name is a member's path. A part with a file
 * name, or with a media type other than text and JSON, is a picture, and its bytes become Base64 as in JSON.
 * @throws {Problem} 400 with the remedy
 */
export function parseMultipart(bytes: Buffer, boundary: string): Record<string, unknown> {
  const members = new Map<string, unknown>()
  const inLists: (readonly [list: string, index: number, member: string, value: unknown])[] = []
  for (const part of partsOf(bytes, boundary)) {
    const [, name, index, member] = pathForm.exec(part.name) ?? []
    if (name === undefined) throw fault('The name of a part must be like `step` or `frames[0].bytes`.')
    const value = contentOf(part)
    if (index !== undefined && member !== undefined) inLists.push([name, Number(index), member, value])
    else if (members.has(name)) throw fault(`There must be one part with the name \`${name}\`.`)
    else members.set(name, value)
  }
  for (const [name, index, member, value] of inLists) {
    const list = members.get(name) ?? []
    if (!Array.isArray(list)) throw fault(`\`${name}\` must be a list if parts are named as its entries.`)
    if (index > list.length || index >= mostEntries)
      throw fault(`The entries of \`${name}\` must be numbered from 0 in their order.`)
    list[index] = { ...(list[index] as object | undefined), [member]: value }
    members.set(name, list)
  }
  return Object.fromEntries(members)
}

function* partsOf(bytes: Buffer, boundary: string): Generator<Part> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const opening = delimiter.subarray(lineEnd.length)
  // RFC 2046 allows a preamble, but clients do not send one.
  if (!bytes.subarray(0, opening.length).equals(opening)) throw broken()
  let at = 0
  for (let parts = 0; ; parts++) {
    at += opening.length
    if (bytes.subarray(at, at + 2).equals(Buffer.from('--'))) return
    const head = bytes.indexOf(lineEnd, at)
    const end = head < 0 ? -1 : bytes.indexOf(delimiter, head)
    if (end < 0) throw broken()
    if (parts >= mostParts) throw fault(`The body must have at most ${mostParts} parts.`)
    yield partOf(bytes.subarray(head, end))
    at = end + lineEnd.length
  }
}

/** @param bytes from the end of the boundary's line, so that a part without headers begins with an empty one */
function partOf(bytes: Buffer): Part {
  const end = bytes.subarray(0, mostHeaderBytes).indexOf(headerEnd)
  if (end < 0) throw broken()
  const head = bytes.subarray(0, end).toString()
  const disposition = /^content-disposition:\s*form-data;(.*)$/im.exec(head)?.[1] ?? ''
  const name = /(?:^|[;\s])name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined) throw fault('Each part must have a name in its Content-Disposition.')
  const type = /^content-type:\s*([^\s;]+)/im.exec(head)?.[1]?.toLowerCase() ?? 'text/plain'
  const isFile = /(?:^|[;\s])filename\*?=/i.test(disposition)
  const isText = type === 'application/json' || (type === 'text/plain' && !isFile)
  return { name, isBinary: !isText, content: bytes.subarray(end + headerEnd.length) }
}

/** A part that is not valid JSON is a string, because forms do not quote. */
function contentOf({ isBinary, content }: Part): unknown {
  if (isBinary) return content.toString('base64')
  refuseMalformedBody(content)
  const text = content.toString()
  const { depth, values } = measureJson(text, jsonLimits)
  if (depth > jsonLimits.depth || values > jsonLimits.values)
    throw fault('A part holds too many values, or nests too deeply.')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fault(message: string): Problem {
  return Problem.at('#', message)
}

function broken(): Problem {
  return fault('The body is not well-formed multipart/form-data.')
}
