import type { ConsoleWording } from './console-wording.ts'
import { access } from './ja/access.ts'
import { account } from './ja/account.ts'
import { auditWords } from './ja/audit.ts'
import { configuration } from './ja/configuration.ts'
import { evidenceWords } from './ja/evidence.ts'
import { notices } from './ja/notices.ts'
import { openidClients } from './ja/openid-clients.ts'
import { overview } from './ja/overview.ts'
import { people } from './ja/people.ts'
import { preview } from './ja/preview.ts'
import { sessions } from './ja/sessions.ts'
import { shell } from './ja/shell.ts'

export const ja: ConsoleWording = {
  locale: 'ja',
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
