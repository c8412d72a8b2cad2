import type { ImportKind } from '../kind-rules.ts'
import { columnRules } from '../rules.ts'

/** The fields a column can be mapped to, in display order. */
export const fieldOptions = (kind: ImportKind) => [...columnRules[kind].labels].map(([value, label]) => ({ value, label }))
