/** Collections and their faces. `configure` has allowed them since before there was `people`. */
export const forFaces = ['people', 'configure'] as const

/** Everything that is kept about one person. */
export const forPersons = ['people', 'admin'] as const

/** What changes something of an account by a key or a bearer, and means no more than that: counted, recorded, and repeatable under a key. */
export const change = {
  rate: 'requests',
  audit: 'recorded',
  idempotency: 'replayed',
  leadsTo: 'nothing',
  permittedBy: 'role',
} as const

/** The same of a picture: it counts as an analysis. */
export const changeByPicture = { ...change, rate: 'analyses' } as const

/** What computes something by a key or a bearer, and changes nothing. */
export const computation = { ...change, audit: 'unrecorded', idempotency: 'none' } as const

/** The same of a picture, or of what was made of one. */
export const analysis = { ...computation, rate: 'analyses' } as const
