import type { Endpoint } from '#shared/endpoint.ts'

export const jsonType = 'application/json'
export const formType = 'application/x-www-form-urlencoded'

/** The media types that an endpoint accepts as a body. */
export function mediaTypesOf({ takesForm = false }: Pick<Endpoint, 'takesForm'>): readonly string[] {
  return takesForm ? [jsonType, formType] : [jsonType]
}
