import type { OperationsLog } from '#server/platform/telemetry/log.ts'
import {
  openRevokedDevices,
  type RevocationFile,
  watchRevokedDevices,
} from '#server/platform/web-authn/attestation/revoked-devices.ts'
import {
  openTrustedRoots,
  rootsWords,
  type TrustedRoots,
} from '#server/platform/web-authn/attestation/trusted-roots.ts'
import type { Settings } from './settings.ts'

/** Decides which devices count as attested, according to the operator's settings. */
export interface DeviceTrust {
  readonly passkeyRoots: TrustedRoots
  readonly revokedDevices: RevocationFile | undefined
}

/** @throws {Error} that names the setting if a certificate or the list of revoked devices cannot be read */
export async function openDeviceTrust(
  { passkeyRoots, passkeyRevoked }: Settings['upkeep'],
  log: Pick<OperationsLog, 'warning' | 'note'>,
): Promise<DeviceTrust> {
  const roots = await openTrustedRoots(passkeyRoots, Date.now())
  if (passkeyRevoked === undefined) return { passkeyRoots: roots, revokedDevices: undefined }
  const revokedDevices = await openRevokedDevices(passkeyRevoked, {
    onMistake: (words) =>
      log.warning('revoked_devices_unread', `PASSKEY_REVOKED: ${words} The last good list stays in force.`),
    onChange: (words) => log.note(revokedWords(words)),
  })
  watchRevokedDevices(revokedDevices)
  return { passkeyRoots: roots, revokedDevices }
}

/** The startup lines about devices. */
export function deviceLines({ passkeyRoots, revokedDevices }: DeviceTrust): readonly string[] {
  return [
    ...(passkeyRoots === undefined ? [] : [rootsWords(passkeyRoots)]),
    ...(revokedDevices === undefined ? [] : [revokedWords(revokedDevices.words())]),
  ]
}

function revokedWords(words: string): string {
  return `Revoked devices with passkeys: ${words} (PASSKEY_REVOKED).`
}
