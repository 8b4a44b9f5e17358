import type { Readers } from './records/record-kinds.ts'

/** How the records of one kind stand in the store. Each carries the version of its schema. */
export interface Codec<T> {
  encode(value: T): Uint8Array
  /** @throws where the record is of a schema that this version does not know */
  decode(bytes: Uint8Array): T
}

const schema = 1

/** Records as JSON, each read by its schema. */
export function jsonCodec<T>(readers: Readers): Codec<T> {
  return {
    encode: (value) => Buffer.from(JSON.stringify({ schema, value })),
    decode(bytes) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
      const record = parse(text) as { schema: number; value: T }
      const read = Object.hasOwn(readers, record.schema) ? readers[record.schema] : undefined
      if (read === undefined) throw unknownSchema(record.schema)
      return read(record.value as never) as T
    },
  }
}

export function unknownSchema(schema: number): Error {
  return new Error(`A record of schema ${schema} cannot be read`)
}

/** The parser's own message would quote the record in the log. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('A record of the store is damaged: it cannot be read')
  }
}
