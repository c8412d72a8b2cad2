import { expect, it } from 'vitest'
import { tools } from '../../leads/reading/tools.ts'
import { setupGuides } from './setup-steps.ts'

it('has setup steps for every supported form tool', () => {
  const guides = setupGuides.map(({ tool }) => tool)
  const named = [
    ...tools.map(({ tool }) => tool).filter((tool) => tool !== 'List of fields'),
    'Squarespace',
    'WPForms',
    'Contact Form 7',
    'Ninja Forms',
    'Leadpages',
    'Zapier',
    'Make',
  ]
  const lead = (tool: string) => tool.toLowerCase().split(' ')[0]!
  expect(named.filter((tool) => !guides.some((guide) => guide.toLowerCase().startsWith(lead(tool))))).toEqual([])
  expect(guides).toEqual(guides.toSorted((a, b) => a.localeCompare(b, 'en')))
  for (const { steps } of setupGuides) expect(steps.length).toBeGreaterThanOrEqual(4)
})
