/**
 * A small protobuf codec driven by field tables. It supports enough of the wire format for ONNX messages. Reading skips fields that are not
 * in a table, which also drops doc strings.
 */

type Kind = 'int' | 'float' | 'text' | 'bytes' | 'message'

export interface Field {
  readonly name: string
  readonly kind: Kind
  readonly repeated?: boolean
  /** An embedded message's table. It is a function because tables may refer to each other. */
  readonly of?: () => Schema
}

/** Fields by their number. */
export type Schema = Readonly<Record<number, Field>>
export type Message = Record<string, unknown>

const VARINT = 0
const FIXED64 = 1
const LENGTH = 2
const FIXED32 = 5

export function encodeMessage(schema: Schema, message: Message): Uint8Array {
  const out: Uint8Array[] = []
  for (const [number, field] of Object.entries(schema)) {
    const value = message[field.name]
    if (value === undefined) continue
    encodeField(Number(number), field, value, out)
  }
  return concatenate(out)
}

function encodeField(number: number, field: Field, value: unknown, out: Uint8Array[]): void {
  if (!field.repeated) {
    out.push(...encodeOne(number, field, value))
    return
  }
  const items = value as readonly unknown[]
  if (items.length === 0) return
  if (field.kind === 'int' || field.kind === 'float') {
    const packed = concatenate(items.map((item) => encodeScalar(field.kind, item)))
    out.push(encodeTag(number, LENGTH), encodeVarint(packed.length), packed)
    return
  }
  for (const item of items) out.push(...encodeOne(number, field, item))
}

function encodeOne(number: number, field: Field, value: unknown): Uint8Array[] {
  if (field.kind === 'int') return [encodeTag(number, VARINT), encodeScalar('int', value)]
  if (field.kind === 'float') return [encodeTag(number, FIXED32), encodeScalar('float', value)]
  const body = encodeBody(field, value)
  return [encodeTag(number, LENGTH), encodeVarint(body.length), body]
}

function encodeBody(field: Field, value: unknown): Uint8Array {
  if (field.kind === 'text') return new TextEncoder().encode(value as string)
  if (field.kind === 'bytes') return value as Uint8Array
  return encodeMessage(tableOf(field), value as Message)
}

function encodeScalar(kind: Kind, value: unknown): Uint8Array {
  if (kind === 'int') return encodeVarint(value as number)
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value as number, true)
  return bytes
}

function encodeTag(number: number, wire: number): Uint8Array {
  return encodeVarint(number * 8 + wire)
}

/** Negative numbers are encoded as 64-bit two's complement, which is why this uses BigInt. */
function encodeVarint(value: number): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}

export function decodeMessage(schema: Schema, bytes: Uint8Array): Message {
  const cursor = new Cursor(bytes)
  const message: Message = {}
  while (!cursor.atEnd()) {
    const tag = cursor.varint()
    const field = schema[Math.floor(tag / 8)]
    if (field) decodeField(field, tag % 8, cursor, message)
    else cursor.skip(tag % 8)
  }
  return message
}

function decodeField(field: Field, wire: number, cursor: Cursor, message: Message): void {
  const values = decodeValues(field, wire, cursor)
  if (!field.repeated) {
    message[field.name] = values.at(-1)
    return
  }
  const list = (message[field.name] ?? []) as unknown[]
  for (const value of values) list.push(value)
  message[field.name] = list
}

function decodeValues(field: Field, wire: number, cursor: Cursor): unknown[] {
  if (field.kind === 'int' || field.kind === 'float') return decodeScalars(field.kind, wire, cursor)
  const body = cursor.block()
  if (field.kind === 'text') return [new TextDecoder().decode(body)]
  if (field.kind === 'bytes') return [body]
  return [decodeMessage(tableOf(field), body)]
}

/** Reads repeated scalars, whether they are packed or not. */
function decodeScalars(kind: Kind, wire: number, cursor: Cursor): number[] {
  if (wire !== LENGTH) return [kind === 'int' ? cursor.varint() : cursor.float()]
  const inner = new Cursor(cursor.block())
  const values: number[] = []
  while (!inner.atEnd()) values.push(kind === 'int' ? inner.varint() : inner.float())
  return values
}

function tableOf(field: Field): Schema {
  if (!field.of) throw new Error(`The field ${field.name} lacks the table of its message`)
  return field.of()
}

class Cursor {
  private at = 0
  private readonly view: DataView

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  atEnd(): boolean {
    return this.at >= this.bytes.length
  }

  varint(): number {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.view.getUint8(this.at++)
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return Number(BigInt.asIntN(64, value))
    }
  }

  float(): number {
    this.at += 4
    return this.view.getFloat32(this.at - 4, true)
  }

  block(): Uint8Array {
    const length = this.varint()
    if (length < 0 || this.at + length > this.bytes.length)
      throw new Error('A protobuf field runs past its end')
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  skip(wire: number): void {
    if (wire === VARINT) this.varint()
    else if (wire === FIXED64) this.at += 8
    else if (wire === LENGTH) this.block()
    else if (wire === FIXED32) this.at += 4
    else throw new Error(`Unknown protobuf wire type ${wire}`)
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
