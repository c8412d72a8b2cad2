import '../../app/wiring.ts'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { limitsOf } from './limit-rules.ts'
import { mayUse, permissions, rawRoutes, type Access } from '../../kernel/access/policy.ts'
import { type Role, roles } from '../../kernel/access/rules.ts'
import { formatMatrix } from './service.ts'

const src = path.resolve(import.meta.dirname, '../..')

describe('issue 9 "Settings, Roles": what each role sees and does not see', () => {
  const ownTasks = 'Tasks: only those assigned to them, on every screen'
  const noDeleting = 'Many patients at once: not deleting them'
  const views = 'Shared views of others: opening only'
  const refunds = 'Refunds that wait: view only'
  const checklists = 'Checklists of surgeries: not ticking what a provider sees to'
  const quotes = 'Quotes: not withdrawing one that was accepted'
  const reports = 'Shared reports of others: opening only'

  /** Product.md "Who uses it", row by row and field by field, written out by hand. */
  const expected: Record<Role, string[]> = {
    admin: [],
    sales_rep: [refunds, checklists, quotes, 'Imports: only those they began', views, reports],
    provider: [ownTasks, 'No payments on the timeline', noDeleting, views],
    front_desk: [ownTasks, noDeleting, refunds, checklists, quotes, views],
    billing: [
      ownTasks,
      'No clinical notes: not in the record or its history, on the timeline, in reports or in files',
      noDeleting,
      views,
      reports,
    ],
  }

  it.each(roles)('%s: what is held back beside the matrix', (role) => {
    expect(limitsOf(role)).toEqual(expected[role])
  })

  it('each policy of a feature is told there: a new one needs its words', () => {
    const told = readFileSync(path.join(import.meta.dirname, 'limit-rules.ts'), 'utf8')
    /** Told by another: what the same policy says of one row, or of both sides of a thing. */
    const implied: Record<string, string> = {
      maySeeTask: 'seesAllTasks',
      isAssignable: 'whom a task may be given to, not what anyone sees',
      clinicalFields: 'seesClinicalNotes',
      refusedFields: 'seesClinicalNotes',
      visibleContact: 'seesClinicalNotes',
      seesAllTaskEntries: 'seesAllTasks',
      visibleTypes: 'seesClinicalNotes and seesPayments',
      maySeeView: 'mayChangeView',
      maySeeSaved: 'mayChangeSaved',
      maySelect: 'the calls that list patients',
      mayImport: 'the calls that write a single record',
    }
    const untold = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((name) => path.basename(name) === 'policy.ts' && !name.startsWith('kernel'))
      .flatMap((name) => {
        const text = readFileSync(path.join(src, name), 'utf8')
        return [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, policy]) => policy!)
      })
      .filter((policy) => !told.includes(`${policy}(`) && !Object.hasOwn(implied, policy))
    expect(untold).toEqual([])
  })

  it('every call and every route that staff use stands in the table once, with the roles that the server lets in', () => {
    const guarded = [...Object.entries(permissions), ...Object.entries(rawRoutes)].filter(([, access]) => access !== 'public')
    const actions = formatMatrix().flatMap(({ actions: ofPart }) => ofPart)
    expect(actions).toHaveLength(guarded.length)
    const letIn = (access: Access) =>
      roles.filter((role) => mayUse(access, { id: '', sessionId: '', name: '', email: '', role, status: 'active' })).join(' ')
    expect(actions.map((action) => action.roles.join(' ')).toSorted()).toEqual(guarded.map(([, access]) => letIn(access)).toSorted())
    for (const { action } of actions) expect(action).toMatch(/^[A-Z].{3,}/)
  })
})
