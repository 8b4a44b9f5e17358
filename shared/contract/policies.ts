/** Scopes for collections and faces. `configure` is older than `people` and has always allowed them. */
export const forFaces = ['people', 'configure'] as const

/** Scopes for all data about one person. */
export const forPersons = ['people', 'admin'] as const

/** A change by a key or a bearer without special consequences: rate-limited, recorded, and repeatable under a key. */
export const change = {
  rate: 'requests',
  audit: 'recorded',
  idempotency: 'replayed',
  leadsTo: 'nothing',
  permittedBy: 'role',
} as const

/** A change by a picture, which counts as an analysis. */
export const changeByPicture = { ...change, rate: 'analyses' } as const

/** A computation by a key or a bearer that changes nothing. */
export const computation = { ...change, audit: 'unrecorded', idempotency: 'none' } as const

/** A computation on a picture or on data derived from one. */
export const analysis = { ...computation, rate: 'analyses' } as const
