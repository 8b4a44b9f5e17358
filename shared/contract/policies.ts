/** The scopes for collections and faces. `configure` is older than `people` and has always allowed access to them. */
export const forFaces = ['people', 'configure'] as const

/** The scopes for all data about a single person. */
export const forPersons = ['people', 'admin'] as const

/** A change made with a key or a bearer that needs no special handling: rate-limited, audited, and idempotent with a key. */
export const change = {
  rate: 'requests',
  audit: 'recorded',
  idempotency: 'replayed',
  leadsTo: 'nothing',
  permittedBy: 'role',
} as const

/** A change that involves a picture, so it counts as an analysis. */
export const changeByPicture = { ...change, rate: 'analyses' } as const

/** A computation with a key or a bearer that does not change anything. */
export const computation = { ...change, audit: 'unrecorded', idempotency: 'none' } as const

/** A computation on a picture or on data derived from one. */
export const analysis = { ...computation, rate: 'analyses' } as const
