/** What a link says of its visit. Empty words are left out: an empty id would be one. */
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
