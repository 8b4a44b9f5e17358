import * as v from 'valibot'

/** A described text. */
export function text(meaning: string) {
  return v.pipe(v.string(), v.description(meaning))
}

/** A described text, or null. */
export function nullableText(meaning: string) {
  return v.pipe(v.nullable(v.string()), v.description(meaning))
}

/** A described time: ISO 8601 in UTC. */
export function timestamp(meaning: string) {
  return v.pipe(v.string(), v.description(meaning), v.metadata({ format: 'date-time' }))
}

const isoPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

/** A time in a request: ISO 8601 with its offset. */
export function isoMoment(meaning: string) {
  return v.pipe(
    v.string(),
    v.regex(isoPattern, 'Must be an ISO 8601 time with its offset, such as 2026-01-31T12:00:00Z.'),
    v.check((time) => !Number.isNaN(Date.parse(time)), 'Must be an existing date and time.'),
    v.description(meaning),
    v.metadata({ format: 'date-time' }),
  )
}

/** A described boolean. */
export function flag(meaning: string) {
  return v.pipe(v.boolean(), v.description(meaning))
}

/** A grey JPEG of eight by eight pixels in Base64, used as the picture in examples. */
export const tinyJpeg =
  '/9j/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////' +
  'wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AX//Z'

/** An integer that arrives as text in a query string. */
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
 * An object in a request. Use it instead of `v.object`, which accepts a list as an object without members, and so accepts any list if
 * all members are optional.
 */
export function jsonObject<const E extends v.ObjectEntries>(entries: E): v.ObjectSchema<E, undefined> {
  return notList(v.object(entries))
}

/** Like `jsonObject`, with arbitrary names. */
export function jsonRecord<const V extends v.GenericSchema>(
  value: V,
): v.RecordSchema<v.StringSchema<undefined>, V, undefined> {
  return notList(v.record(v.string(), value))
}

const lenientSchemas = new WeakSet<object>()

/** Validates with the schema but returns the input unchanged, so unknown members stay. */
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

/** True for a schema made by `asSent`, whose output may have undeclared members. */
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

/** A time in a query string, in ISO 8601. A date alone is midnight UTC, as in `Date.parse`. */
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

/** Rejects dates such as 30 February, which `Date.parse` would move into March. */
export function isOfCalendar(time: string): boolean {
  const day = time.slice(0, 10)
  const at = Date.parse(`${day}T00:00:00Z`)
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === day
  return isDay && !Number.isNaN(Date.parse(time))
}

/** A boolean in a query string: `true` or `false` in any case, since Python writes `True`. */
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
