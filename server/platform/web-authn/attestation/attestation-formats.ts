/** Attestation formats that are supported. */
export const attestationFormats = ['packed', 'tpm', 'android-key'] as const
