import type { Actor } from '../../kernel/access/rules.ts'
import { isOfCompany } from '../../shared/domains.ts'

type Viewer = Pick<Actor, 'id' | 'role'>

/** Admins and sales reps see all tasks; other roles see only tasks assigned to them (spec 6). The system (null) sees everything. */
export const seesAllTasks = (actor: Pick<Actor, 'role'> | null): boolean =>
  actor === null || actor.role === 'admin' || actor.role === 'sales_rep'

export const maySeeTask = (actor: Viewer | null, assigneeIds: readonly string[]): boolean =>
  actor === null || seesAllTasks(actor) || assigneeIds.includes(actor.id)

/**
 * Whether tasks can be assigned to a person: active staff with an email at a company domain, or with any email while no domain is set (spec
 * 6).
 */
export function isAssignable({ email, status }: Pick<Actor, 'email' | 'status'>, companyDomains: readonly string[]): boolean {
  return status === 'active' && (companyDomains.length === 0 || isOfCompany(email, companyDomains))
}
