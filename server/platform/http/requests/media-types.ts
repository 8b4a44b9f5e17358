import type { Endpoint } from '#shared/endpoint.ts'

export const jsonType = 'application/json'
export const formType = 'application/x-www-form-urlencoded'
export const multipartType = 'multipart/form-data'

/** The media types that an endpoint accepts for its body. */
export function mediaTypesOf({
  takesForm = false,
  takesMultipart = false,
}: Pick<Endpoint, 'takesForm' | 'takesMultipart'>): readonly string[] {
  return [jsonType, ...(takesForm ? [formType] : []), ...(takesMultipart ? [multipartType] : [])]
}
