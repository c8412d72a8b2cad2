import type { ImportField } from '../contract.ts'
import { importLabels } from '../rules.ts'

/** What a column may hold, in the order in which it is offered. */
export const fieldOptions = (Object.keys(importLabels) as ImportField[]).map((value) => ({ value, label: importLabels[value] }))
