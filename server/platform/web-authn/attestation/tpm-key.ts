/** Where the attributes of a key stand in what a TPM 2.0 says of it (TPMT_PUBLIC), after its kind and the rule of its name. */
const attributesAt = 4
/** fixedTPM, fixedParent and sensitiveDataOrigin: the key was made in this chip, and stays in it. */
const staysInside = 0x32

/**
 * Whether a key that a chip vouches for may leave it, or came from outside: [Note: A chip signs for what it holds] also for a key that
 * a program made and gave it.
 * @throws where nothing can be read
 */
export function mayLeaveChip(publicArea: unknown): boolean {
  if (!(publicArea instanceof Uint8Array)) throw new Error('The chip says nothing of the key')
  const attributes = Buffer.from(publicArea).readUInt32BE(attributesAt)
  return (attributes & staysInside) !== staysInside
}
