/** Offset of a key's attributes in its TPM 2.0 public area (TPMT_PUBLIC), after type and name algorithm. */
const attributesAt = 4
/** fixedTPM, fixedParent and sensitiveDataOrigin: the key was created in this chip and cannot leave it. */
const staysInside = 0x32

/**
 * True if a key in a TPM may leave the chip or was imported. [Note: A chip signs for what it holds] A chip also certifies
 * keys that a program created and loaded into it.
 * @throws if the public area is unreadable
 */
export function mayLeaveChip(publicArea: unknown): boolean {
  if (!(publicArea instanceof Uint8Array)) throw new Error('The TPM did not describe the key')
  const attributes = Buffer.from(publicArea).readUInt32BE(attributesAt)
  return (attributes & staysInside) !== staysInside
}
