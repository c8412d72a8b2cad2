import type { Actor } from '../../kernel/access/rules.ts'
import { isOfCompany } from '../../shared/domains.ts'

type Who = Pick<Actor, 'id' | 'role'>

/** Spec 6: admin and sales_rep see all tasks; other roles see only tasks assigned to them. The system itself (null) sees all. */
export const seesAllTasks = (actor: Pick<Actor, 'role'> | null): boolean =>
  actor === null || actor.role === 'admin' || actor.role === 'sales_rep'

export const maySeeTask = (actor: Who | null, assigneeIds: readonly string[]): boolean =>
  actor === null || seesAllTasks(actor) || assigneeIds.includes(actor.id)

/** Spec 6: tasks are assigned to staff with an email at one of the company's domains; to anyone while none is set. */
export function isAssignable({ email, status }: Pick<Actor, 'email' | 'status'>, companyDomains: readonly string[]): boolean {
  return status === 'active' && (companyDomains.length === 0 || isOfCompany(email, companyDomains))
}
