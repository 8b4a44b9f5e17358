import { access } from './ar/access.ts'
import { account } from './ar/account.ts'
import { auditWords } from './ar/audit.ts'
import { configuration } from './ar/configuration.ts'
import { evidenceWords } from './ar/evidence.ts'
import { notices } from './ar/notices.ts'
import { openidClients } from './ar/openid-clients.ts'
import { overview } from './ar/overview.ts'
import { people } from './ar/people.ts'
import { preview } from './ar/preview.ts'
import { sessions } from './ar/sessions.ts'
import { shell } from './ar/shell.ts'
import type { ConsoleWording } from './console-wording.ts'

export const ar: ConsoleWording = {
  locale: 'ar',
  direction: 'rtl',
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
