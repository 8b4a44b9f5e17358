/** A link's query for a visit. Empty values are left out, because an empty id would count as an id. */
export function linkQuery(
  verificationId: string,
  { externalId, correlationId, locale = '' }: { externalId: string; correlationId: string; locale?: string },
): string {
  const query = new URLSearchParams({ reVerificationId: verificationId })
  if (externalId.trim() !== '') query.set('reExternalId', externalId.trim())
  if (correlationId.trim() !== '') query.set('reCorrelationId', correlationId.trim())
  if (locale !== '') query.set('reLocale', locale)
  return query.toString()
}
