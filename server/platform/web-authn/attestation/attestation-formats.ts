export const attestationFormats = ['packed', 'tpm', 'android-key'] as const
