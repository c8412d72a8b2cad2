import type { ImportKind } from '../kind-rules.ts'
import { columnRules } from '../rules.ts'

/** What a column may hold, in the order in which it is offered. */
export const fieldOptions = (kind: ImportKind) => [...columnRules[kind].labels].map(([value, label]) => ({ value, label }))
