import { information } from '../../kernel/access/information.ts'
import type { Actor, Role } from '../../kernel/access/rules.ts'
import type { ReportName } from './name-rules.ts'
import { definitionOf } from './report-rules.ts'
import type { SavedReport } from './saved-contract.ts'

/** Roles that read every report but clinical ones. */
const readers: readonly Role[] = ['admin', 'sales_rep', 'billing']

/** Whether a role reads a report: clinical ones only those who see adverse events, who read no others unless they are readers. No API key reads those. */
export const mayReadReport = ({ role, apiKey }: Pick<Actor, 'role' | 'apiKey'>, report: ReportName): boolean =>
  definitionOf(report).isClinical ? !apiKey && (information.adverseEvent.read as readonly Role[]).includes(role) : readers.includes(role)

type Saved = Pick<SavedReport, 'ownerId' | 'isShared'>

/** A shared report is visible to everyone with access to reports, a private one only to its owner. */
export const maySeeSaved = (actor: Pick<Actor, 'id'>, { ownerId, isShared }: Saved): boolean => isShared || ownerId === actor.id

/** The owner; administrators may also change shared reports, since owners leave. */
export const mayChangeSaved = (actor: Pick<Actor, 'id' | 'role'>, { ownerId, isShared }: Saved): boolean =>
  ownerId === actor.id || (isShared && actor.role === 'admin')
