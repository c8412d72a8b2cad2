import { seesClinicalNotes } from '../contacts/policy.ts'
import { seesAllTasks } from '../tasks/policy.ts'
import type { Role } from './rules.ts'

/** What a role's calls hold back by the row, from the features' own policies, in words. */
export const limitsOf = (role: Role): string[] => [
  ...(seesAllTasks({ role }) ? [] : ['Only the tasks assigned to them']),
  ...(seesClinicalNotes({ role }) ? [] : ['No clinical notes']),
]
