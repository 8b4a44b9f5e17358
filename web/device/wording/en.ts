import { englishFindings } from '#shared/browsers/device-report.ts'
import type { DeviceWording } from './device-wording.ts'

/** English, which is the basis for the other languages. */
export const en: DeviceWording = {
  locale: 'en',
  direction: 'ltr',
  title: {
    tab: 'This device',
    before: 'What can this device do?',
    measuring: 'Measuring',
    measured: 'What this device can do',
    failed: 'This could not be measured',
  },
  text: {
    before:
      'This page measures whether and how fast this browser can do the check. Pictures stay on this device and are thrown away. Nothing is sent: you get a report that you may copy.',
    measuring: 'This takes up to half a minute. Nothing is sent.',
    report: 'The report has no picture, no name of the camera, and says which browser this is:',
  },
  button: {
    withCamera: 'Measure with the camera',
    withoutCamera: 'Measure without it',
    copy: 'Copy report',
    copied: 'Copied',
    share: 'Share report',
  },
  findings: englishFindings,
}
