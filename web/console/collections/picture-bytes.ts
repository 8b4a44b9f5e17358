/** Encodes bytes as Base64, which is how the API expects pictures. */
export function base64Of(bytes: Uint8Array): string {
  const step = 0x8000
  let binary = ''
  for (let at = 0; at < bytes.length; at += step)
    binary += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(binary)
}
