import type { ConsoleWording } from './console-wording.ts'
import { access } from './de/access.ts'
import { account } from './de/account.ts'
import { auditWords } from './de/audit.ts'
import { configuration } from './de/configuration.ts'
import { evidenceWords } from './de/evidence.ts'
import { notices } from './de/notices.ts'
import { openidClients } from './de/openid-clients.ts'
import { overview } from './de/overview.ts'
import { people } from './de/people.ts'
import { preview } from './de/preview.ts'
import { sessions } from './de/sessions.ts'
import { shell } from './de/shell.ts'

export const de: ConsoleWording = {
  locale: 'de',
  direction: 'ltr',
  ...shell,
  ...sessions,
  ...overview,
  ...configuration,
  ...preview,
  ...people,
  ...openidClients,
  ...notices,
  ...evidenceWords,
  ...account,
  ...access,
  ...auditWords,
}
