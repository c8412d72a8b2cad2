import '../../app/wiring.ts'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { limitsOf } from './limit-rules.ts'
import { mayUse, permissions, rawRoutes, type Access } from '../../kernel/access/policy.ts'
import { type Role, roles } from '../../kernel/access/rules.ts'
import { formatMatrix } from './service.ts'

const src = path.resolve(import.meta.dirname, '../..')

describe('restrictions of each role', () => {
  const ownTasks = 'Tasks: only those assigned to them'
  const noDeleting = 'Bulk changes: cannot delete patients'
  const views = 'Views shared by others: view only'
  const refunds = 'Pending refunds: view only'
  const checklists = 'Surgery checklists: cannot tick items for providers'
  const timeOff = 'Hours and time off: can enter only their own time off'
  const quotes = 'Quotes: cannot withdraw an accepted quote'
  const notes = 'Clinical notes: can edit only their own drafts'
  const signing = 'Clinical notes: can sign only their own drafts and those of administrators'
  const reports = 'Reports shared by others: view only'
  const noRates = 'Reports: no infections and returns'
  const markup = 'Markup on photos: can change only their own layers'
  const chart = 'Chart: only allergies and alerts'

  /** The restrictions from "Who uses it" in PRODUCT.md, written out by hand. */
  const expected: Record<Role, string[]> = {
    admin: [notes, markup],
    sales_rep: [refunds, checklists, timeOff, quotes, 'Imports: only their own', views, noRates, reports],
    provider: [
      ownTasks,
      'No payments on the timeline',
      noDeleting,
      notes,
      signing,
      markup,
      timeOff,
      views,
      'Reports: only infections and returns',
    ],
    front_desk: [ownTasks, noDeleting, refunds, chart, checklists, timeOff, quotes, views],
    billing: [ownTasks, 'No clinical notes: not in the record, history, timeline, reports or exports', noDeleting, views, noRates, reports],
  }

  it.each(roles)('lists the restrictions of %s', (role) => {
    expect(limitsOf(role)).toEqual(expected[role])
  })

  it('describes every feature policy', () => {
    const source = readFileSync(path.join(import.meta.dirname, 'limit-rules.ts'), 'utf8')
    /** Policies covered by the description of another one. */
    const implied: Record<string, string> = {
      mayReviewSection: 'seesEntry',
      mayWriteEntry: 'seesEntry',
      seesSection: 'seesEntry',
      maySeeTask: 'seesAllTasks',
      isAssignable: 'who can be assigned a task, not what anyone sees',
      clinicalFields: 'seesClinicalNotes',
      refusedFields: 'seesClinicalNotes',
      visibleContact: 'seesClinicalNotes',
      seesAllTaskEntries: 'seesAllTasks',
      visibleTypes: 'seesClinicalNotes and seesPayments',
      maySeeView: 'mayChangeView',
      maySeeSaved: 'mayChangeSaved',
      maySelect: 'the calls that list patients',
      signs: 'the calls of signatures',
      mayCosign: 'the calls of signatures; only once, and no one their own',
      mayImport: 'the calls that write a single record',
    }
    const undescribed = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name) === 'policy.ts' && !name.startsWith('kernel'))
      .flatMap((name) => {
        const text = readFileSync(path.join(src, name), 'utf8')
        return [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, policy]) => policy!)
      })
      .filter((policy) => !source.includes(`${policy}(`) && !Object.hasOwn(implied, policy))
    expect(undescribed).toEqual([])
  })

  it('lists every staff call and route once, with the roles that the server allows', () => {
    const guarded = [...Object.entries(permissions), ...Object.entries(rawRoutes)].filter(([, access]) => access !== 'public')
    const actions = formatMatrix().flatMap(({ actions: partActions }) => partActions)
    expect(actions).toHaveLength(guarded.length)
    const allowedRoles = (access: Access) =>
      roles.filter((role) => mayUse(access, { id: '', sessionId: '', name: '', email: '', role, status: 'active' })).join(' ')
    expect(actions.map((action) => action.roles.join(' ')).toSorted()).toEqual(guarded.map(([, access]) => allowedRoles(access)).toSorted())
    for (const { action } of actions) expect(action).toMatch(/^[A-Z].{3,}/)
  })
})
