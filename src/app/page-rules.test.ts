import { expect, it } from 'vitest'
import { isPage } from './page-rules.ts'
import { staffPaths } from './staff-rules.ts'

it('knows every page of the browser’s router, with its parameters filled in', () => {
  const paths = Object.values(staffPaths).map((path) => path.replace(/\$\w+/g, 'one'))
  expect(paths.filter((path) => !isPage(path))).toEqual([])
  expect(paths.length).toBeGreaterThan(20)
})

it.each([
  ['/', true],
  ['/contacts/', true],
  ['/Contacts', true],
  ['/contacts/new', true],
  ['/contacts/7f/merge', true],
  ['/settings/audit', true],
  ['/auth', true],
  ['/u/token', true],
  ['/appointment/token', true],
  ['/patientdocuments', true],
  ['/nothing', false],
  ['/contacts/7f/nothing', false],
  ['/contacts//merge', false],
  ['/contacts/7f/edit/more', false],
  ['/contactss', false],
  ['/auth/more', false],
  ['/index.html', false],
  ['//', false],
])('%s is a page: %s', (path, expected) => {
  expect(isPage(path)).toBe(expected)
})
