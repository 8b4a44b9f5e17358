import * as v from 'valibot'

/** A string with a description. */
export function text(meaning: string) {
  return v.pipe(v.string(), v.description(meaning))
}

/** A string with a description, or null. */
export function nullableText(meaning: string) {
  return v.pipe(v.nullable(v.string()), v.description(meaning))
}

/** A time with a description, as ISO 8601 in UTC. */
export function timestamp(meaning: string) {
  return v.pipe(v.string(), v.description(meaning), v.metadata({ format: 'date-time' }))
}

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** A time in a request, as ISO 8601 with an offset. */
export function isoMoment(meaning: string) {
  return v.pipe(
    v.string(),
    v.regex(isoPattern, 'Must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z.'),
    v.check((time) => !Number.isNaN(Date.parse(time)), 'Must be an existing date and time.'),
    v.description(meaning),
    v.metadata({ format: 'date-time' }),
  )
}

/** A boolean with a description. */
export function flag(meaning: string) {
  return v.pipe(v.boolean(), v.description(meaning))
}

/** A grey 8 x 8 pixel JPEG in Base64, used as the picture in examples. */
export const tinyJpeg =
  '/9j/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////' +
  'wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AX//Z'

/** An integer sent as a string in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  return v.pipe(
    v.union([
      v.pipe(v.string(), v.regex(/^-?\d{1,15}$/, 'Must be a whole number.'), v.transform(Number)),
      v.number(),
    ]),
    v.number(),
    v.integer(),
    v.minValue(minimum),
    v.maxValue(maximum),
  )
}

/**
 * An object in a request. Use this instead of `v.object`, which accepts an array as an object without members, i.e. any array at all if every
 * member is optional.
 */
export function jsonObject<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return notList(v.object(entries))
}

/** Like `jsonObject`, but with arbitrary member names. */
export function jsonRecord<const V extends v.GenericSchema>(
  value: V,
): v.RecordSchema<v.StringSchema<undefined>, V, undefined> {
  return notList(v.record(v.string(), value))
}

const lenientSchemas = new WeakSet<object>()

/** Validates against the schema but returns the input unchanged, so that unknown members are kept. */
export function asSent<S extends v.GenericSchema>(schema: S): S {
  const lenient: S = {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const sent = dataset.value
      const checked = schema['~run'](dataset, config)
      if (checked.typed) checked.value = sent
      return checked
    },
  }
  lenientSchemas.add(lenient)
  return lenient
}

/** True for a schema created by `asSent`, since its output may have undeclared members. */
export function isAsSent(schema: object): boolean {
  return lenientSchemas.has(schema)
}

function notList<S extends v.GenericSchema>(schema: S): S {
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      if (!Array.isArray(dataset.value)) return schema['~run'](dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset
    },
  }
}

const iso8601 = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** A time in a query string, as ISO 8601. A date without a time means midnight UTC, as in `Date.parse`. */
export function queryTime(meaning: string) {
  return v.pipe(
    v.string(),
    v.check(
      (time) => iso8601.test(time) && isOfCalendar(time),
      'Must be a time in ISO 8601, such as 2027-01-31 or 2027-01-31T12:00:00Z.',
    ),
    v.description(meaning),
  )
}

/** Rejects dates such as 30 February, which `Date.parse` would turn into a date in March. */
export function isOfCalendar(time: string): boolean {
  const day = time.slice(0, 10)
  const at = Date.parse(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === day
  return isDay && !Number.isNaN(Date.parse(time))
}

/** A boolean in a query string: `true` or `false` in upper or lower case, since Python writes `True`. */
export function queryBoolean() {
  return v.pipe(
    v.union([
      v.pipe(
        v.string(),
        v.regex(/^(true|false)$/i, 'Must be true or false.'),
        v.transform((text) => text.toLowerCase() === 'true'),
      ),
      v.boolean(),
    ]),
    v.boolean(),
  )
}
