import { expect, test } from 'vitest'
import { firstAccountName, nameForVisitors } from '#shared/contract/account/display-name.ts'

test.each([
  [{ name: firstAccountName }, 'Selfsame'],
  [{ name: firstAccountName, displayName: null }, 'Selfsame'],
  [{ name: firstAccountName, displayName: 'Northwind' }, 'Northwind'],
  [{ name: 'Northwind Ltd' }, 'Northwind Ltd'],
])('%o is %s to visitors', (account, name) => expect(nameForVisitors(account)).toBe(name))
