import type * as v from 'valibot'
import type { Random } from './random.ts'
import { forbiddenAddresses } from './strange-values.ts'
import type { Supplies } from './supplies.ts'

interface Context {
  readonly random: Random
  readonly supplies: Supplies
}

// biome-ignore lint/suspicious/noExplicitAny: a schema is walked here whose type is only known at run time
type AnySchema = v.GenericSchema & Record<string, any>

/** A value that the schema is likely to accept. `name` hints at what kind of text is expected. */
export function sample(schema: v.GenericSchema, name: string, context: Context): unknown {
  const known = byName[name]?.(context)
  if (known !== undefined) return known
  const { random } = context
  const { type, ...rest } = schema as AnySchema
  const actions = ((rest.pipe ?? []) as { type: string; requirement?: unknown }[]).slice(1)
  const bound = (kind: string) =>
    actions.find((action) => action.type === kind)?.requirement as number | undefined
  switch (type) {
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return sampleObject(rest.entries, context)
    case 'array': {
      const count = Math.max(bound('min_length') ?? 0, random.below(3))
      return Array.from({ length: count }, () => sample(rest.item, name, context))
    }
    case 'optional':
    case 'exact_optional':
    case 'nullish':
      return random.chance(0.4) ? undefined : sample(rest.wrapped, name, context)
    case 'nullable':
      return random.chance(0.2) ? null : sample(rest.wrapped, name, context)
    case 'union':
      return sample(random.pick(rest.options as AnySchema[]), name, context)
    case 'picklist':
      return random.pick(rest.options as unknown[])
    case 'literal':
      return rest.literal
    case 'boolean':
      return random.chance(0.5)
    case 'number':
      return sampleNumber(bound('min_value') ?? 0, bound('max_value') ?? 100, random)
    case 'record':
      return { [random.pick(['a', 'b', '__proto__ '])]: random.pick(['x', 1, null, { deep: [] }]) }
    default:
      return random.pick(['a', 'b c', 'ü'])
  }
}

function sampleObject(entries: Record<string, v.GenericSchema>, context: Context): Record<string, unknown> {
  const members = Object.entries(entries).map(
    ([name, entry]) => [name, sample(entry, name, context)] as const,
  )
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** Usually returns one of the bounds, because that is where most faults are. */
function sampleNumber(minimum: number, maximum: number, random: Random): number {
  if (random.chance(0.5)) return random.pick([minimum, maximum])
  return minimum + random.below(Math.min(maximum - minimum, 1e6) + 1)
}

const address = ({ random, supplies }: Context) => random.pick(forbiddenAddresses(supplies.canaryPort))
const homeAddress = ({ supplies }: Context) => `http://127.0.0.1:${supplies.canaryPort}/back`
const collection = ({ random, supplies }: Context) => supplies.collectionId(random)

/** Only one in a few hundred pictures shows a person, because it is analysed by every network, which takes a long time. */
function picture({ random, supplies: { pictures } }: Context): string {
  if (random.chance(0.004)) return pictures.person
  if (random.chance(0.01)) return pictures.bomb(random)
  return random.chance(0.15) ? pictures.small : pictures.strange(random)
}

/** Values for members with these names, whatever their schema. */
const byName: Record<string, (context: Context) => unknown> = {
  bytes: picture,
  imageData: picture,
  url: address,
  image: (context) => (context.random.chance(0.8) ? { bytes: picture(context) } : { url: address(context) }),
  frames: (context) => {
    const count = context.random.pick([0, 1, 1, 2, 24, 25])
    const challengeStep = context.random.below(3)
    return Array.from({ length: count }, (_, time) => ({ bytes: picture(context), time, challengeStep }))
  },
  passedUrl: homeAddress,
  failedUrl: homeAddress,
  eventCallbackUrl: homeAddress,
  verificationId: ({ random, supplies }) => supplies.verificationId(random),
  verificationSessionId: ({ random, supplies }) => supplies.sessionId(random),
  queryString: ({ random, supplies }) => (random.chance(0.5) ? supplies.signedQuery(random) : 'a=1&b=%20ü'),
  collectionId: collection,
  collectionName: collection,
  faceId: ({ random, supplies }) => supplies.faceId(random),
  name: ({ random }) => `name ${random.below(50)}`,
  embedding1: ({ random }) => embedding(random),
  embedding2: ({ random }) => embedding(random),
}

function embedding(random: Random): number[] {
  const length = random.pick([0, 1, 128, 512, 512, 512, 513])
  return Array.from({ length }, () => random.next() - 0.5)
}
